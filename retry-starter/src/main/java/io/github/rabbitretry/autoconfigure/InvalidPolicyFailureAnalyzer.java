/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.autoconfigure;

import io.github.rabbitretry.policy.InvalidPolicyException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Explains a configuration that can't work.
 */
final class InvalidPolicyFailureAnalyzer extends AbstractFailureAnalyzer<InvalidPolicyException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidPolicyException cause) {
		return new FailureAnalysis(
				"Rabbit Retry is configured in a way that can't work:%n%n    Property: %s%n    Value: \"%s\"%n    Reason: %s"
					.formatted(cause.property(), cause.value(), cause.relation()),
				cause.remedy(), cause);
	}

}
