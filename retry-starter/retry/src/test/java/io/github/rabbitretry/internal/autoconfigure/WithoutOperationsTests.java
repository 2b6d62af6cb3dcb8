/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * This module alone, without rabbit-retry-operations, does not call the management API.
 */
@ExtendWith(OutputCaptureExtension.class)
class WithoutOperationsTests {

	private static final String NOT_CHECKED = "are not checked without rabbit-retry-operations";

	private final ApplicationContextRunner application = StartReport.application();

	@ParameterizedTest
	@CsvSource({ "rabbit-retry.topology.mode=none, WARN", "rabbit-retry.topology.policies=ignore, INFO" })
	void brokerPoliciesAreNotCheckedAndTheLogSaysSoOnce(String policies, String level, CapturedOutput output) {
		this.application.withPropertyValues("rabbit-retry.message-policies.Order.owner=team-orders", policies)
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).containsOnlyOnce(NOT_CHECKED).containsPattern(level + ".*" + NOT_CHECKED);
	}

	@Test
	void withoutMessagePoliciesThereIsNothingToSay(CapturedOutput output) {
		this.application.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).doesNotContain(NOT_CHECKED);
	}

	@ParameterizedTest
	@ValueSource(strings = { "fail", "warn" })
	void aCheckThatIsAskedForFailsStartupWithTheDependencyThatIsMissing(String policies) {
		this.application
			.withPropertyValues("rabbit-retry.message-policies.Order.owner=team-orders",
					"rabbit-retry.topology.policies=" + policies)
			.run((context) -> {
				assertThat(context).hasFailed();
				FailureAnalysis analysis = StartReport.explain(context.getStartupFailure());
				assertThat(analysis.getDescription()).contains("rabbit-retry.topology.policies", policies,
						"needs rabbit-retry-operations");
				assertThat(analysis.getAction()).contains("io.github.rabbitretry:rabbit-retry-operations");
			});
	}

}
