/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.time.Duration;

import io.github.rabbitretry.internal.classify.CauseChain;
import io.github.rabbitretry.internal.event.OccasionalWarning;
import io.github.rabbitretry.internal.handover.Acknowledgement;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.amqp.AmqpRejectAndDontRequeueException;
import org.springframework.amqp.ImmediateRequeueAmqpException;

/**
 * A delivery from a queue that was added to a managed container later and has no policy:
 * settled as the container would have done it.
 */
final class MissingPolicy {

	private static final Log logger = LogFactory.getLog(MissingPolicy.class);

	private static final OccasionalWarning warning = new OccasionalWarning(logger, Duration.ofMinutes(1));

	private MissingPolicy() {
	}

	static void handle(ListenerCall call, Acknowledgement acknowledgement) {
		try {
			call.run();
		}
		catch (Throwable ex) {
			warning.warn(() -> "A queue without a policy was added to a container that is retried; "
					+ "its failed messages are requeued at once");
			if (rejects(ex)) {
				acknowledgement.reject();
			}
			else {
				acknowledgement.giveBack();
			}
			return;
		}
		acknowledgement.acknowledge();
	}

	/** As the container does it, which walks causes without a bound. */
	private static boolean rejects(Throwable failure) {
		return CauseChain.of(failure)
			.stream()
			.filter((cause) -> cause instanceof AmqpRejectAndDontRequeueException
					|| cause instanceof ImmediateRequeueAmqpException)
			.findFirst()
			.filter(AmqpRejectAndDontRequeueException.class::isInstance)
			.isPresent();
	}

}
