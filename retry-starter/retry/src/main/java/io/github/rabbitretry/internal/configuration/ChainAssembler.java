/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.configuration;

import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import io.github.rabbitretry.classify.FailureClassifier;
import io.github.rabbitretry.classify.Reasons;
import io.github.rabbitretry.internal.classify.ClassificationChain;
import io.github.rabbitretry.internal.classify.ClassificationRule;
import io.github.rabbitretry.internal.classify.ClassificationRules;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ReflectionUtils;

/**
 * From properties to a classification that is complete and checked. Warns of reasons that
 * no failure ever has.
 */
public final class ChainAssembler {

	/** Why messages are parked that are not classified, or after all classification. */
	private static final Set<String> DECIDED_LATER = Set.of(Reasons.RETRY_BUDGET_EXHAUSTED, Reasons.RETRY_AGE_EXCEEDED,
			Reasons.DELIVERY_LIMIT, Reasons.REJECTED, Reasons.QUEUE_OVERFLOW, Reasons.EXPIRED,
			Reasons.HEADERS_TOO_LARGE, Reasons.UNPUBLISHABLE, Reasons.UNREADABLE, Reasons.EVENT_CONVERSION_FAILED);

	private final RabbitRetryProperties.ClassificationProperties properties;

	private final MessagePolicies policies;

	private final @Nullable ClassLoader classLoader;

	/**
	 * Creates an assembler.
	 * @param properties what is configured
	 * @param policies the message policies
	 * @param classLoader what loads the exceptions of rules
	 */
	public ChainAssembler(RabbitRetryProperties.ClassificationProperties properties, MessagePolicies policies,
			@Nullable ClassLoader classLoader) {
		this.properties = properties;
		this.policies = policies;
		this.classLoader = classLoader;
	}

	/**
	 * Assembles the classification.
	 * @param classifiers the application's classifiers, in order
	 * @param clock what time it is
	 * @return the classification
	 */
	public ClassificationChain assemble(List<FailureClassifier> classifiers, Clock clock) {
		List<String> messageTypes = this.policies.all().stream().map(MessagePolicy::messageType).toList();
		ClassificationRules rules = ClassificationRules.of(this.properties.rules(), this.classLoader, messageTypes,
				this.properties.schemaVersionHeader().strip());
		for (int index = 0; index < this.properties.rules().size(); index++) {
			canEverRetry(index, this.properties.rules().get(index));
		}
		unknownReasons(!classifiers.isEmpty());
		return new ClassificationChain(classifiers, rules, clock);
	}

	/** Beyond what all of its message types allow, a delay would park every message. */
	private void canEverRetry(int index, ClassificationRule rule) {
		Duration delay = rule.delay();
		if (delay == null) {
			return;
		}
		Duration longest = this.policies.all()
			.stream()
			.filter((policy) -> rule.messageType() == null || rule.messageType().contains(policy.messageType()))
			.filter((policy) -> policy.brokerAttempts() > 0)
			.map((policy) -> policy.budget().longestWait())
			.max(Comparator.naturalOrder())
			.orElse(delay);
		if (delay.compareTo(longest) > 0) {
			throw new InvalidConfigurationException("rabbit-retry.classification.rules[%s].delay".formatted(index),
					delay,
					"must be <= the longest that one of its message types lets a message wait, by max-retry-age and max-cumulative-delay (%s), or it parks every message"
						.formatted(longest),
					"Lower it, or raise the bound of a message type; to park at once, set action to park instead.");
		}
	}

	/** A handler or a classifier of the application may produce any. */
	private void unknownReasons(boolean classifiers) {
		Set<String> produced = Arrays.stream(Reasons.class.getFields())
			.map((field) -> String.valueOf(ReflectionUtils.getField(field, null)))
			.filter((reason) -> !DECIDED_LATER.contains(reason))
			.collect(Collectors.toCollection(HashSet::new));
		this.properties.rules().stream().map(ClassificationRule::reason).forEach(produced::add);
		this.policies.all().forEach((policy) -> {
			Map.of("park-on", policy.parkOn(), "discard-on", policy.discardOn(), "outage.reasons",
					(policy.outage() != null) ? policy.outage().reasons() : Set.<String>of())
				.forEach((key, reasons) -> reasons.stream()
					.sorted()
					.filter((reason) -> !produced.contains(reason))
					.forEach((reason) -> unknownReason(PolicyAssembler.property(policy.messageType(), key), reason,
							produced, classifiers)));
		});
	}

	private static void unknownReason(String property, String reason, Set<String> produced, boolean classifiers) {
		Optional<String> similar = Suggestion.of(reason, produced);
		if (DECIDED_LATER.contains(reason)) {
			ConfigurationWarning.log(property, reason,
					"is a reason that messages are parked for, never the reason of a failure: it has no effect here",
					"Remove it.");
		}
		else if (!classifiers || similar.isPresent()) {
			ConfigurationWarning.log(property, reason,
					"is neither a built-in reason nor that of a classification rule: it has no effect unless a handler or classifier of yours produces it",
					similar.map("Did you mean %s?"::formatted)
						.orElse("Correct it, or add a rule that has this reason."));
		}
	}

}
