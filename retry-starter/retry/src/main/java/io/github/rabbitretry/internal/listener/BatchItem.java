/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import io.github.rabbitretry.internal.handler.DeliveryContext;
import io.github.rabbitretry.internal.handover.Acknowledgement;
import io.github.rabbitretry.internal.handover.DeliveryChannel;

/**
 * One message of a batch, which is decided about and settled by itself.
 *
 * @param queue its queue
 * @param call calls the listener with this message alone
 * @param context its context while it is handled alone
 * @param acknowledgement settles it
 * @param from the channel that it came through
 */
record BatchItem(ManagedQueue queue, ListenerCall call, DeliveryContext context, Acknowledgement acknowledgement,
		DeliveryChannel from) {

	String messageType() {
		return this.queue.policy().messageType();
	}

}
