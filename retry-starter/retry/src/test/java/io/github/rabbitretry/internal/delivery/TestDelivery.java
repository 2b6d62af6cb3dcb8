/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.delivery;

import java.time.Instant;

import io.github.rabbitretry.internal.handover.TestPublisher;
import io.github.rabbitretry.internal.message.DeliveryHistory;
import io.github.rabbitretry.internal.message.ReceivedMessage;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import org.jspecify.annotations.Nullable;

/**
 * A delivery of which nothing is published, and that is never settled.
 */
public final class TestDelivery {

	private TestDelivery() {
	}

	/**
	 * Makes a delivery.
	 * @param policy its policy
	 * @param received the message
	 * @param history what its headers say
	 * @param failure what the handler threw
	 * @param now when
	 * @return the delivery
	 */
	public static Delivery of(MessagePolicy policy, ReceivedMessage received, DeliveryHistory history,
			@Nullable Throwable failure, Instant now) {
		return new Delivery(policy, TestPublisher.of(policy.messageType()), received, TestPublisher.acknowledgement())
			.recordFailure(history, failure, now);
	}

}
