/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import io.github.rabbitretry.internal.topology.InvalidConfigurationException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.Environment;

/**
 * Explains a configuration that can't work.
 */
final class InvalidPolicyFailureAnalyzer extends AbstractFailureAnalyzer<InvalidConfigurationException> {

	private final Environment environment;

	InvalidPolicyFailureAnalyzer(Environment environment) {
		this.environment = environment;
	}

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidConfigurationException cause) {
		return new FailureAnalysis(
				"Rabbit Retry is configured in a way that can't work:%n%n    Property: %s%n    Value: \"%s\"%n    Reason: %s"
					.formatted(cause.property(), ValueAsWritten.of(cause, this.environment), cause.relation()),
				cause.remedy(), cause);
	}

}
