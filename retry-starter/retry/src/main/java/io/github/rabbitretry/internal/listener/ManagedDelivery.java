/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.time.Instant;

import io.github.rabbitretry.internal.handover.Acknowledgement;
import io.github.rabbitretry.internal.handover.ConfirmedPublisher;
import io.github.rabbitretry.internal.handover.ReceivedMessage;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.topology.DeliveryHistory;

/**
 * A delivery that is not handled, with all that is needed to settle it.
 *
 * @param policy its message type's policy
 * @param publisher where its copy goes
 * @param received the message as received
 * @param acknowledgement the delivery to settle
 * @param history what its headers say
 * @param now when it failed
 */
record ManagedDelivery(MessagePolicy policy, ConfirmedPublisher publisher, ReceivedMessage received,
		Acknowledgement acknowledgement, DeliveryHistory history, Instant now) {
}
