/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.configuration;

import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

import io.github.rabbitretry.internal.policy.EscalateAfter;
import io.github.rabbitretry.internal.policy.HandlerTime;
import io.github.rabbitretry.topology.Usage;
import org.jspecify.annotations.Nullable;

/**
 * What policies may ask for, each by itself and side by side.
 */
final class PolicyRules {

	private static final String POLICIES = "rabbit-retry.message-policies.";

	private static final int MOST_ATTEMPTS = 1000;

	/** A held delivery is cut off by the broker's consumer timeout, 30 minutes. */
	private static final Duration LONGEST_HOLD = Duration.ofMinutes(10);

	/** Calls are looked at ten times within it. */
	private static final Duration SHORTEST_TIMEOUT = Duration.ofMillis(10);

	private PolicyRules() {
	}

	static void check(RabbitRetryProperties properties) {
		PolicyProperties defaults = properties.defaults();
		if (defaults != null && defaults.queue() != null) {
			throw Checks.invalid("rabbit-retry.defaults.queue", defaults.queue(), "can't be the same for all policies",
					"Set queue in each policy, or leave it out.");
		}
		if (defaults != null && !defaults.formerQueues().isEmpty()) {
			throw Checks.invalid("rabbit-retry.defaults.former-queues", defaults.formerQueues(),
					"can't be the same for all policies", "Set former-queues in the policies whose queue was renamed.");
		}
		namesDiffer(properties.messagePolicies());
	}

	/** Those that keys do not tell apart share all keys, as two files may write them. */
	private static void namesDiffer(Map<String, PolicyProperties> policies) {
		Map<String, String> byName = new HashMap<>();
		policies.forEach((messageType, policy) -> {
			if (messageType.length() > 255) {
				throw Checks.invalid(POLICIES + messageType, messageType, "must be at most 255 characters long",
						"Shorten the message type's name.");
			}
			String other = byName.putIfAbsent(messageType.replaceAll("[-_]", "").toLowerCase(Locale.ROOT), messageType);
			if (other != null && policy.equals(policies.get(other))) {
				throw Checks.invalid(POLICIES + messageType, messageType,
						"differs from '%s' only by case, dashes or underscores, which configuration keys ignore"
							.formatted(other),
						"Use the same spelling everywhere.");
			}
		});
	}

	static void check(PolicyProperties policy) {
		policy.retryRatio().check();
		policy.rejection().check();
		policy.deduplication().check();
		policy.outage().check();
		Checks.text("owner", policy.owner());
		policy.formerQueues().forEach((queue) -> Checks.text("former-queues", queue));
		Checks.text("replay-policy", policy.replayPolicy());
		local(policy);
		Checks.between("broker-attempts", policy.attempts(), 0, MOST_ATTEMPTS);
		bound("max-retry-age", policy.maxRetryAge());
		if (policy.maxCumulativeDelay() != null) {
			bound("max-cumulative-delay", policy.maxCumulativeDelay());
		}
		DelayRules.check(policy);
		usage(policy);
		Checks.between("delivery-limit", policy.deliveries(), 1, 1000);
		OrderingRules.check(policy);
		reasons(policy);
		quarantine(policy);
		escalation(policy);
		if (policy.outage().enabled() && policy.attempts() == 0) {
			throw Checks.invalid("outage.enabled", true,
					"needs broker-attempts of 1 or more (0): a message that an outage catches waits in a retry queue",
					"Set broker-attempts to 1, or outage.enabled to false for this message type.");
		}
		remembered(policy);
	}

	private static void bound(String key, Duration value) {
		Checks.positive(key, value);
		Checks.atMost(key, value, Checks.LONGEST_AGE, "Lower it; for longer waits a scheduler is the better place.");
	}

	private static void local(PolicyProperties policy) {
		Checks.between("local-attempts", policy.localAttempts(), 1, 100);
		if (policy.localDelay().isNegative()) {
			throw Checks.invalid("local-delay", policy.localDelay(), "must not be negative",
					"Use 0ms to try again at once.");
		}
		int waits = policy.localAttempts() - 1;
		if (waits > 0 && policy.localDelay().compareTo(LONGEST_HOLD.dividedBy(waits)) > 0) {
			throw Checks.invalid("local-delay", policy.localDelay(),
					"times the local attempts after the first (%s) holds a delivery for more than %s".formatted(waits,
							LONGEST_HOLD),
					"Leave long waits to broker-attempts; the broker takes a delivery back that is held too long.");
		}
		if (policy.handlerTimeout() != null && policy.handlerTimeout().compareTo(SHORTEST_TIMEOUT) < 0) {
			throw Checks.invalid("handler-timeout", policy.handlerTimeout(), "must be >= " + SHORTEST_TIMEOUT,
					"Raise it, or leave the key out for no bound.");
		}
	}

	private static void usage(PolicyProperties policy) {
		if (policy.maxHandlerCalls() < 1) {
			throw Checks.invalid("max-handler-calls", policy.maxHandlerCalls(), "must be 1 or more",
					"Use 100, the default.");
		}
		long worst = policy.localAttempts() * (1L + policy.attempts());
		if (worst > policy.maxHandlerCalls()) {
			throw Checks.invalid("max-handler-calls", policy.maxHandlerCalls(),
					"must be >= what one message can cause at worst, %s handler calls (local-attempts %s x (1 + broker-attempts %s))"
						.formatted(worst, policy.localAttempts(), policy.attempts()),
					"Make fewer attempts; or raise it, if that many calls for one message are meant.");
		}
		Checks.between("max-downstream-calls", (policy.maxDownstreamCalls() != null) ? policy.maxDownstreamCalls() : 1,
				1, Usage.LARGEST);
		Checks.between("max-cost", (policy.maxCost() != null) ? policy.maxCost() : 1, 1, Usage.LARGEST);
	}

	private static void reasons(PolicyProperties policy) {
		Checks.reasons("park-on", policy.parkOn());
		Checks.reasons("discard-on", policy.discardOn());
		policy.discardOn().stream().filter(policy.parkOn()::contains).findFirst().ifPresent((reason) -> {
			throw Checks.invalid("discard-on", reason, "must not be in park-on too", "Decide for one of the two.");
		});
	}

	/** The broker delivers a message whose count has reached its limit once more. */
	private static void quarantine(PolicyProperties policy) {
		Checks.between("poison.quarantine-after", policy.quarantineAfter(), 0, 1000);
		if (policy.quarantineAfter() > policy.deliveries()) {
			throw Checks.invalid("poison.quarantine-after", policy.quarantineAfter(),
					"must be <= delivery-limit (%s), or the broker gives a message up before it is quarantined"
						.formatted(policy.deliveries()),
					"Lower it, or raise delivery-limit.");
		}
	}

	/** A copy comes back as long as attempts are made. */
	private static void remembered(PolicyProperties policy) {
		Duration retention = policy.deduplication().retention();
		if (retention != null && policy.attempts() > 0 && retention.compareTo(policy.maxRetryAge()) < 0) {
			throw Checks.invalid("deduplication.retention", retention,
					"must be >= max-retry-age (%s), for which copies of a message may come back"
						.formatted(policy.maxRetryAge()),
					"Raise it, lower max-retry-age, or leave it out.");
		}
	}

	static @Nullable HandlerTime handlerTime(PolicyProperties policy, Duration consumerTimeout) {
		if (policy.handlerTimeout() == null) {
			return null;
		}
		// compared like this, no sum can overflow
		if (policy.handlerTimeout()
			.compareTo(consumerTimeout.dividedBy(policy.localAttempts()).minus(policy.localDelay())) >= 0) {
			throw Checks.invalid("handler-timeout", policy.handlerTimeout(),
					"plus local-delay (%s), times local-attempts (%s), must be < the broker's consumer timeout (%s)"
						.formatted(policy.localDelay(), policy.localAttempts(), consumerTimeout),
					"Lower it, or make fewer local attempts; the broker takes a delivery back that is held too long. If its consumer timeout is longer, say so by rabbit-retry.broker.consumer-timeout.");
		}
		return new HandlerTime(policy.handlerTimeout(), consumerTimeout.dividedBy(10).multipliedBy(9));
	}

	static @Nullable EscalateAfter escalation(PolicyProperties policy) {
		String text = (policy.escalateAfter() != null) ? policy.escalateAfter().strip() : "";
		if (text.isEmpty()) {
			return null;
		}
		if (text.matches("\\d{1,9}")) {
			int attempt = Integer.parseInt(text);
			if (attempt < 1 || attempt > policy.attempts()) {
				throw Checks.invalid("escalate-after", text,
						"must be from 1 to broker-attempts (%s), or it never takes effect".formatted(policy.attempts()),
						"Lower it, or raise broker-attempts; for a time write its unit, 30m.");
			}
			return new EscalateAfter(attempt, null);
		}
		Duration age = SchedulePresets.parse(text)
			.orElseThrow(() -> Checks.invalid("escalate-after", text, "must be an attempt or a duration",
					"Write 3 for the third broker attempt, or 30m for half an hour after the first failure."));
		Checks.positive("escalate-after", age);
		if (age.compareTo(policy.maxRetryAge()) >= 0) {
			throw Checks.invalid("escalate-after", age,
					"must be < max-retry-age (%s), or it never takes effect".formatted(policy.maxRetryAge()),
					"Lower it, or raise max-retry-age.");
		}
		return new EscalateAfter(null, age);
	}

}
