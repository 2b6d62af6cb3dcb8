/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.deadletter;

import io.github.rabbitretry.internal.declaration.TopologyMode;
import io.github.rabbitretry.internal.policy.TestPolicy;
import io.github.rabbitretry.internal.topology.QueueType;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class UnroutableQueueDeclarerTests {

	@ParameterizedTest
	@CsvSource({ "VERIFY, QUORUM, true", "NONE, QUORUM, true", "DECLARE, QUORUM, false", "VERIFY, CLASSIC, false" })
	void onlyAQuorumQueueWaitsForALastQueueThatIsNotDeclaredHere(TopologyMode mode, QueueType type, boolean logged,
			CapturedOutput output) {
		new UnroutableQueueDeclarer(mode).notReached(TestPolicy.order().queueType(type).build());
		assertThat(output.getOut().contains("the broker has not moved it yet")).isEqualTo(logged);
	}

}
