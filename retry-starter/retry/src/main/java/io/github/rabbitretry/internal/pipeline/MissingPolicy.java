/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.pipeline;

import java.util.Arrays;
import java.util.List;
import java.util.Set;

import io.github.rabbitretry.internal.classify.CauseChain;
import io.github.rabbitretry.internal.acknowledgement.Acknowledgement;
import io.github.rabbitretry.internal.invocation.ContainerSettings;
import io.github.rabbitretry.internal.invocation.InfrastructureFailures;
import io.github.rabbitretry.internal.invocation.ListenerCall;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.amqp.AmqpRejectAndDontRequeueException;
import org.springframework.amqp.ImmediateRequeueAmqpException;
import org.springframework.util.ErrorHandler;

/**
 * A delivery from a queue without a policy, of a container that consumes others with one:
 * settled as the container would have done it.
 */
public final class MissingPolicy {

	private static final Log logger = LogFactory.getLog(MissingPolicy.class);

	private MissingPolicy() {
	}

	/**
	 * Warns of queues of a listener that are not retried.
	 * @param listener how to name it
	 * @param queues all its queues
	 * @param covered the ones with a policy
	 */
	public static void warn(String listener, String[] queues, Set<String> covered) {
		List<String> missing = Arrays.stream(queues).filter((queue) -> !covered.contains(queue)).toList();
		if (!missing.isEmpty()) {
			logger
				.warn("Listener '%s' consumes %s too, without a message policy: messages of these queues that fail are "
					.formatted(listener, missing) + "requeued at once or rejected, as without Rabbit Retry");
		}
	}

	static void handle(ListenerCall call, Acknowledgement acknowledgement, ContainerSettings settings) {
		Throwable failure = null;
		try {
			call.runUnmanaged();
		}
		catch (Exception ex) {
			failure = handled(ex, settings.errorHandler());
		}
		catch (Throwable ex) {
			failure = ex;
		}
		if (failure == null || InfrastructureFailures.asksForAcknowledgement(failure)) {
			acknowledgement.acknowledge();
		}
		else if (requeues(failure, settings.requeues())) {
			acknowledgement.giveBack();
		}
		else {
			acknowledgement.reject();
		}
	}

	/** It may throw an exception that makes the container reject the message. */
	private static Throwable handled(Exception failure, ErrorHandler errorHandler) {
		try {
			errorHandler.handleError(failure);
			return failure;
		}
		catch (Throwable ex) {
			return ex;
		}
	}

	/** As the container does it, which walks causes without a bound. */
	private static boolean requeues(Throwable failure, boolean byDefault) {
		return CauseChain.of(failure)
			.stream()
			.filter((cause) -> cause instanceof AmqpRejectAndDontRequeueException
					|| cause instanceof ImmediateRequeueAmqpException)
			.findFirst()
			.map(ImmediateRequeueAmqpException.class::isInstance)
			.orElse(byDefault);
	}

}
