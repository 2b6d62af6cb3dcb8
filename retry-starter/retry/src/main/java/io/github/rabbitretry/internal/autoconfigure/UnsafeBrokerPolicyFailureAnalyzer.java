/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import io.github.rabbitretry.internal.brokerpolicy.UnsafeBrokerPolicyException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Explains policies of the broker that would lose messages.
 */
final class UnsafeBrokerPolicyFailureAnalyzer extends AbstractFailureAnalyzer<UnsafeBrokerPolicyException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, UnsafeBrokerPolicyException cause) {
		String line = "%n    ".formatted();
		if (cause.missing()) {
			return missing(cause, line);
		}
		String description = "Policies of the broker override what our queues declare and would lose messages:%n"
			.formatted() + line + String.join(line, cause.problems());
		String action = "Protect the queues by policies with a higher priority, which keep the other keys:%n"
			.formatted() + line + String.join(line, cause.commands())
				+ "%n%nOr change the policies, or set rabbit-retry.topology.policies to 'warn' or 'ignore'."
					.formatted();
		return new FailureAnalysis(description, action, cause);
	}

	private static FailureAnalysis missing(UnsafeBrokerPolicyException cause, String line) {
		String description = "Queues are declared with few arguments (rabbit-retry.topology.arguments: minimal), and the policies of the broker don't give the rest:%n"
			.formatted() + line + String.join(line, cause.problems());
		String action = "Set the policies:%n".formatted() + line + String.join(line, cause.commands())
				+ "%n%n'rabbit-retry export policies' prints them all. Or set rabbit-retry.topology.arguments to 'full'."
					.formatted();
		return new FailureAnalysis(description, action, cause);
	}

}
