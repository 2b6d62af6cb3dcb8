/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.util.List;

import io.github.rabbitretry.internal.declaration.TestMismatch;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.diagnostics.FailureAnalysis;

import static org.assertj.core.api.Assertions.assertThat;

class FailureAnalyzersTests {

	@Test
	void anInvalidPolicyIsExplained() {
		FailureAnalysis analysis = StartReport
			.explain(new BeanCreationException("policies", new InvalidConfigurationException(
					"rabbit-retry.message-policies.Order.jitter", 2.0, "must be from 0 to 1", "Use 0.2.")));
		assertThat(analysis.getDescription()).isEqualToNormalizingNewlines("""
				The configuration of Rabbit Retry is invalid:

				    Property: rabbit-retry.message-policies.Order.jitter
				    Value: "2.0"
				    Reason: must be from 0 to 1""");
		assertThat(analysis.getAction()).isEqualTo("Use 0.2.");
	}

	@Test
	void aDifferentTopologyIsExplainedWithBothValuesAndEachRemedyOnce() {
		FailureAnalysis analysis = StartReport.explain(TestMismatch.of(List.of(406, 406, 404),
				"PRECONDITION_FAILED - inequivalent arg 'x-queue-type' for queue 'order' in vhost '/': received 'quorum' but current is 'classic'"));
		assertThat(analysis.getDescription()).isEqualToNormalizingNewlines(
				"""
						The broker's queues and exchanges are not what the message policies need:

						    queue 'order.0': argument 'x-queue-type' is 'classic' on the broker, but the message policy asks for 'quorum'
						    queue 'order.1': argument 'x-queue-type' is 'classic' on the broker, but the message policy asks for 'quorum'
						    queue 'order.2': it does not exist""");
		assertThat(analysis.getAction().lines()).hasSize(2)
			.anyMatch((line) -> line.startsWith("If it is the work queue, it can stay"))
			.anyMatch((line) -> line.startsWith("Declare it"));
	}

}
