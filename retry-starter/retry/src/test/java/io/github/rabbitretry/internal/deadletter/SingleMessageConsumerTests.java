/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.deadletter;

import io.github.rabbitretry.internal.policy.TestPolicy;
import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.internal.topology.QueueType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How many deliveries may end connections before a queue is left alone.
 */
class SingleMessageConsumerTests {

	@ParameterizedTest
	@CsvSource({ "QUORUM, 0, 1", "QUORUM, 1, 1", "QUORUM, 8, 8", "QUORUM, 1000000, 50", "CLASSIC, 1000, 1" })
	void messagesThatEndConnectionsByTurnsHaveTheDeliveriesOfAllWhereTheyAreCounted(QueueType type, long waiting,
			int turns) {
		MessageTopology topology = TestPolicy.order().queueType(type).build().topology();
		assertThat(SingleMessageConsumer.mostInVain(topology, waiting))
			.isEqualTo(turns * (topology.deadLetterDeliveries() + 10));
	}

}
