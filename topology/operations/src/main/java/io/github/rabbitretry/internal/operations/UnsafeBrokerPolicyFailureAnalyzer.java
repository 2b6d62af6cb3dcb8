/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.operations;

import io.github.rabbitretry.internal.brokerpolicy.UnsafeBrokerPolicyException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Explains which broker policies fail startup, and how to protect the queues.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class UnsafeBrokerPolicyFailureAnalyzer extends AbstractFailureAnalyzer<UnsafeBrokerPolicyException> {

	@Override
	protected FailureAnalysis analyze(Throwable failure, UnsafeBrokerPolicyException unsafe) {
		String line = "%n    ".formatted();
		String description = "Policies of the broker override what our queues declare and would lose messages:%n"
			.formatted() + line + String.join(line, unsafe.problems());
		String action = "Protect the queues by policies with a higher priority, which keep the other keys:%n"
			.formatted() + line + String.join(line, unsafe.commands())
				+ "%n%nOr change the policies, or set rabbit-retry.topology.policies to 'warn' or 'ignore'."
					.formatted();
		return new FailureAnalysis(description, action, unsafe);
	}

}
