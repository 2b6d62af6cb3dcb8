/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.autoconfigure;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;

import io.github.rabbitretry.classify.ClassificationChain;
import io.github.rabbitretry.classify.ClassificationRules;
import io.github.rabbitretry.classify.FailureClassifier;
import io.github.rabbitretry.classify.InvalidClassificationRuleException;
import io.github.rabbitretry.policy.InvalidPolicyException;
import io.github.rabbitretry.policy.MessagePolicies;
import io.github.rabbitretry.policy.MessagePolicy;
import org.jspecify.annotations.Nullable;

/**
 * From properties to a classification that is complete and checked.
 */
final class ChainAssembler {

	private final RabbitRetryProperties.ClassificationProperties properties;

	private final MessagePolicies policies;

	private final @Nullable ClassLoader classLoader;

	ChainAssembler(RabbitRetryProperties.ClassificationProperties properties, MessagePolicies policies,
			@Nullable ClassLoader classLoader) {
		this.properties = properties;
		this.policies = policies;
		this.classLoader = classLoader;
	}

	ClassificationChain assemble(List<FailureClassifier> classifiers, Clock clock) {
		List<String> messageTypes = this.policies.all().stream().map(MessagePolicy::messageType).toList();
		try {
			ClassificationRules rules = ClassificationRules.of(this.properties.rules(), this.classLoader, messageTypes,
					schemaVersionHeader());
			return new ClassificationChain(classifiers, rules, clock);
		}
		catch (InvalidClassificationRuleException ex) {
			throw new InvalidPolicyException(ex.property(), ex.value(), ex.relation(), ex.remedy());
		}
	}

	private String schemaVersionHeader() {
		String header = this.properties.schemaVersionHeader().strip();
		if (header.isEmpty() || header.getBytes(StandardCharsets.UTF_8).length > 255) {
			throw new InvalidPolicyException("rabbit-retry.classification.schema-version-header", header,
					"must be from 1 to 255 bytes, as every header's name",
					"Leave the key out for " + ClassificationRules.SCHEMA_VERSION_HEADER + ".");
		}
		return header;
	}

}
