/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.explain;

import java.time.Clock;
import java.util.List;

import io.github.rabbitretry.classify.FailureClassifier;
import io.github.rabbitretry.internal.configuration.ChainAssembler;
import io.github.rabbitretry.internal.configuration.PolicyAssembler;
import io.github.rabbitretry.internal.configuration.RabbitRetryProperties;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.core.env.Environment;

/**
 * Explains what a configuration would decide, without an application and without a
 * broker. The configuration is checked as at a start.
 */
public final class ConfiguredExplainer {

	private ConfiguredExplainer() {
	}

	/**
	 * Reads a configuration.
	 * @param environment what has the properties below {@code rabbit-retry}
	 * @param classifiers the application's classifiers, in order
	 * @param classLoader what loads the exception classes of rules, or {@code null} for
	 * the default one
	 * @param clock what time it is
	 * @return the explainer
	 * @throws InvalidConfigurationException if the configuration would stop a start
	 */
	public static DefaultRetryExplainer of(Environment environment, List<FailureClassifier> classifiers,
			@Nullable ClassLoader classLoader, Clock clock) {
		RabbitRetryProperties properties = RabbitRetryProperties.bind(environment);
		MessagePolicies policies = new PolicyAssembler(properties, environment).assemble();
		return new DefaultRetryExplainer(policies,
				new ChainAssembler(properties.classification(), policies, classLoader).assemble(classifiers, clock),
				clock);
	}

}
