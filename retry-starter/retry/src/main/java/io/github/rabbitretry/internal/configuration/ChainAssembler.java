/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.configuration;

import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;

import io.github.rabbitretry.classify.FailureClassifier;
import io.github.rabbitretry.internal.classify.ClassificationChain;
import io.github.rabbitretry.internal.classify.ClassificationRule;
import io.github.rabbitretry.internal.classify.ClassificationRules;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import org.jspecify.annotations.Nullable;

/**
 * From properties to a classification that is complete and checked.
 */
public final class ChainAssembler {

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
		new UnknownReasons(this.properties.rules(), !classifiers.isEmpty()).warn(this.policies);
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
			.map(ChainAssembler::longestWait)
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

	private static Duration longestWait(MessagePolicy policy) {
		Duration sum = policy.maxCumulativeDelay();
		return (sum != null && sum.compareTo(policy.maxRetryAge()) < 0) ? sum : policy.maxRetryAge();
	}

}
