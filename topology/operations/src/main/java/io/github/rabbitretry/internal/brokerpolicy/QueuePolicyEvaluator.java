/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.brokerpolicy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.github.rabbitretry.internal.topology.QueueDefinition;
import io.github.rabbitretry.internal.topology.QueueRole;
import io.github.rabbitretry.internal.topology.QueueType;
import org.jspecify.annotations.Nullable;

/**
 * Judges the keys of a policy for one queue. A policy is merged with the arguments of the
 * queue's declaration, key by key: of limits and times the lower one is in effect, of the
 * dead-letter keys the queue's, and of {@code overflow} the policy's on a quorum queue
 * and the queue's on a classic one (tried on RabbitMQ 4.0.5 and 4.3.6).
 */
final class QueuePolicyEvaluator {

	private static final String REJECT_PUBLISH = "reject-publish";

	/** Shorter than what handling, local attempts and a slow confirm may take. */
	private static final long SHORT_CONSUMER_TIMEOUT = 300_000;

	private final QueueDefinition queue;

	private final Duration longestHold;

	private final BrokerPolicy policy;

	private final List<BrokerPolicyFinding> findings = new ArrayList<>();

	private QueuePolicyEvaluator(QueueDefinition queue, Duration longestHold, BrokerPolicy policy) {
		this.queue = queue;
		this.longestHold = longestHold;
		this.policy = policy;
	}

	/**
	 * Judges one policy.
	 * @param queue the queue as we declare it
	 * @param longestHold how long consumers may hold its deliveries, zero if that is not
	 * known
	 * @param policy a policy that is in effect for it
	 * @param overflowOverridden whether an operator policy sets the overflow instead
	 * @return what is worth knowing
	 */
	static List<BrokerPolicyFinding> examine(QueueDefinition queue, Duration longestHold, BrokerPolicy policy,
			boolean overflowOverridden) {
		QueuePolicyEvaluator keys = new QueuePolicyEvaluator(queue, longestHold, policy);
		policy.definition().forEach((key, value) -> {
			if (!(overflowOverridden && key.equals("overflow"))) {
				keys.examine(key, value);
			}
		});
		return keys.findings;
	}

	private void examine(String key, Object value) {
		switch (key) {
			case "overflow" -> overflow(key, value);
			case "message-ttl" -> timeToLive(key, value);
			case "delivery-limit" -> deliveryLimit(key, value);
			case "dead-letter-routing-key", "dead-letter-strategy" -> deadLettering(key, value);
			case "expires" ->
				unsafe(key, value, "RabbitMQ deletes the queue with its messages if it is unused for that long");
			case "max-length", "max-length-bytes" -> note(key, value,
					"a full queue refuses messages: what can't be handed over stays where it is and is tried again");
			case "consumer-timeout" -> consumerTimeout(key, value);
			case "delayed-retry-type" -> delayedRetry(key, value);
			case "federation-upstream", "federation-upstream-set" ->
				note(key, value, "messages may move between clusters");
			default -> {
			}
		}
	}

	private void overflow(String key, Object value) {
		if (value.equals(REJECT_PUBLISH) || isClassic() && declared("x-overflow") != null) {
			return;
		}
		unsafe(key, value, isStorage(this.queue.role()) ? "a length limit drops the oldest messages"
				: "dead-lettering is at most once: messages on their way are lost when a node stops or a queue is away");
	}

	private void timeToLive(String key, Object value) {
		if (isStorage(this.queue.role())) {
			unsafe(key, value,
					(declared("x-dead-letter-exchange") != null)
							? "messages that are not parked within that time (ms) are set aside and not handled"
							: "messages are deleted after that time (ms)");
		}
		else if (this.queue.role() != QueueRole.RETRY) {
			note(key, value, "messages that are not handled within that time (ms) are parked as EXPIRED");
		}
		else if (number(value) < number(declared("x-message-ttl"))) {
			unsafe(key, value,
					"messages come back after that time (ms) and wait on in many short turns, each a hand-over");
		}
	}

	private void deliveryLimit(String key, Object value) {
		long limit = number(value);
		long declared = (declared("x-delivery-limit") != null) ? number(declared("x-delivery-limit")) : -1;
		if (limit < 0 || this.queue.role() == QueueRole.RETRY || (declared >= 0 && limit >= declared)) {
			return;
		}
		if (declared < 0) {
			unsafe(key, value, "messages that are looked at or returned more often than that are deleted");
		}
		else {
			note(key, value, "messages whose consumers died are given up, or set aside, after fewer deliveries");
		}
	}

	private void deadLettering(String key, Object value) {
		if (declared("x-dead-letter-exchange") == null || declared("x-" + key) != null
				|| value.equals("at-least-once")) {
			return;
		}
		unsafe(key, value, key.equals("dead-letter-strategy") ? "dead-lettering is at most once"
				: "messages leave the queue with this routing key and don't reach the work queue");
	}

	private void consumerTimeout(String key, Object value) {
		if (number(value) <= this.longestHold.toMillis()) {
			unsafe(key, value,
					"a delivery is delivered again after that time (ms), while its handler may work for %s (handler-timeout x local-attempts)"
						.formatted(this.longestHold.toMillis()));
		}
		else if (this.queue.role() != QueueRole.RETRY && number(value) < SHORT_CONSUMER_TIMEOUT) {
			note(key, value, "deliveries that take longer (ms) are delivered again while they are still handled");
		}
	}

	private void delayedRetry(String key, Object value) {
		if (declared("x-single-active-consumer") != null && !value.equals("disabled")) {
			unsafe(key, value,
					"what a consumer that stops gives back is delivered after those behind it, out of order");
		}
	}

	private void unsafe(String key, Object value, String consequence) {
		this.findings.add(new BrokerPolicyFinding(true, this.queue.name(), this.policy, key, value, consequence, true));
	}

	private void note(String key, Object value, String consequence) {
		this.findings
			.add(new BrokerPolicyFinding(true, this.queue.name(), this.policy, key, value, consequence, false));
	}

	/** Whether messages stay in the queue until they are consumed. */
	private static boolean isStorage(QueueRole role) {
		return switch (role) {
			case WORK, QUARANTINE, RETRY -> false;
			default -> true;
		};
	}

	private boolean isClassic() {
		return this.queue.type() == QueueType.CLASSIC;
	}

	private @Nullable Object declared(String argument) {
		Map<String, Object> arguments = this.queue.arguments();
		return arguments.get(argument);
	}

	private static long number(@Nullable Object value) {
		return (value instanceof Number number) ? number.longValue() : Long.MAX_VALUE;
	}

}
