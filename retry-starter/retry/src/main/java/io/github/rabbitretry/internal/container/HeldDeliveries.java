/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.container;

import com.rabbitmq.client.Channel;

/**
 * Deliveries that a container's channels hold in order, and that go back to their queue
 * all at once.
 */
public interface HeldDeliveries {

	/**
	 * Gives back all that a channel holds: it is closed when the handlers have ended.
	 * @param channel the channel
	 */
	void giveBack(Channel channel);

	/**
	 * To be called some times a second: closes channels that hold messages for so long
	 * that the broker would soon take them back, one by one.
	 */
	void closeOverdue();

}
