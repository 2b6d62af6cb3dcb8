/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.actuate;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.IntStream;

import io.github.rabbitretry.classify.Instruction;
import io.github.rabbitretry.internal.classify.ClassificationChain;
import io.github.rabbitretry.internal.classify.ClassificationRules;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import org.jspecify.annotations.Nullable;

/**
 * The policies and rules that apply, as JSON.
 *
 * @param policies the policies, in the order of the configuration
 * @param rules the rules, in the order of the configuration
 */
record ConfigurationReport(List<Policy> policies, List<Rule> rules) {

	/** Beyond it the delays repeat. */
	private static final int DELAYS = 20;

	static ConfigurationReport of(MessagePolicies policies, ClassificationChain classification) {
		return new ConfigurationReport(policies.all().stream().map(Policy::of).toList(),
				classification.rules().stream().map(Rule::of).toList());
	}

	/**
	 * A policy.
	 *
	 * @param messageType its name
	 * @param queue the work queue
	 * @param owner who answers for it
	 * @param localAttempts handler calls per delivery
	 * @param brokerAttempts delayed redeliveries
	 * @param worstCaseHandlerCalls the most handler calls for one message
	 * @param maxRetryAge the longest time from the first failure to an attempt
	 * @param maxCumulativeDelay the longest sum of delays, or {@code null} for no bound
	 * @param delays the delays before the first 20 attempts, where jitter draws one the
	 * shortest and the longest
	 * @param parkOn reasons that park at once
	 * @param discardOn reasons that acknowledge without success
	 */
	public record Policy(String messageType, String queue, String owner, int localAttempts, int brokerAttempts,
			long worstCaseHandlerCalls, String maxRetryAge, @Nullable String maxCumulativeDelay,
			List<List<String>> delays, List<String> parkOn, List<String> discardOn) {

		static Policy of(MessagePolicy policy) {
			return new Policy(policy.messageType(), policy.queue(), policy.owner(), policy.localAttempts(),
					policy.brokerAttempts(), policy.budget().worstCaseHandlerCalls(), policy.maxRetryAge().toString(),
					Objects.toString(policy.maxCumulativeDelay(), null), delays(policy),
					List.copyOf(new TreeSet<>(policy.parkOn())), List.copyOf(new TreeSet<>(policy.discardOn())));
		}

		private static List<List<String>> delays(MessagePolicy policy) {
			return IntStream.rangeClosed(1, Math.min(policy.brokerAttempts(), DELAYS))
				.mapToObj((attempt) -> policy.delays().bounds(attempt).stream().map(Object::toString).toList())
				.toList();
		}

	}

	/**
	 * A rule.
	 *
	 * @param index its place in the configuration, from 0
	 * @param conditions what has to hold
	 * @param failureClass the kind of failure
	 * @param reason the reason
	 * @param action what is done whatever the class, or {@code null}
	 * @param delay the delay of the retry, or {@code null} for the back-off's
	 * @param mode active or shadow
	 * @param hits the deliveries since the start that it decided or, as a shadow, would
	 * have
	 */
	public record Rule(int index, String conditions, String failureClass, String reason, @Nullable String action,
			@Nullable String delay, String mode, long hits) {

		static Rule of(ClassificationRules.Effective rule) {
			Instruction instruction = rule.classification().instruction();
			return new Rule(rule.index(), rule.conditions(), rule.classification().failureClass().label(),
					rule.classification().reason(), action(instruction),
					(instruction instanceof Instruction.RetryAfter after) ? after.delay().toString() : null,
					rule.mode().name().toLowerCase(Locale.ROOT), rule.hits());
		}

		private static @Nullable String action(@Nullable Instruction instruction) {
			if (instruction == null) {
				return null;
			}
			if (instruction instanceof Instruction.Park) {
				return "park";
			}
			return (instruction instanceof Instruction.Discard) ? "discard" : "retry";
		}

	}

}
