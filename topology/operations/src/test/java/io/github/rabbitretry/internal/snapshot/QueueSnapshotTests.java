/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.snapshot;

import java.util.List;
import java.util.Map;

import io.github.rabbitretry.internal.brokerpolicy.BrokerPolicies;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class QueueSnapshotTests {

	private static final BrokerPolicies NO_POLICIES = new BrokerPolicies(List.of());

	@ParameterizedTest(name = "of {0} messages {1} are ready, in a queue of {2} ms: {3} are stuck")
	@CsvSource({ "1, 0, 10000, 1", "33, 0, 10000, 33", "5000, 5000, 10000, 0",
			// 500 expire in a second
			"5010, 5000, 10000, 0", "5501, 5000, 10000, 501",
			// one every two seconds
			"21, 20, 40000, 1" })
	void whatItsTrafficExplainsIsNotStuck(long messages, long ready, long timeToLive, long stuck) {
		assertThat(queue(messages, ready, Map.of("x-message-ttl", timeToLive)).stuck(NO_POLICIES)).isEqualTo(stuck);
	}

	@Test
	void nothingExpiresFromAQueueWithoutATimeToLive() {
		assertThat(queue(5001, 5000, Map.of()).stuck(NO_POLICIES)).isEqualTo(1);
	}

	private static QueueSnapshot queue(long messages, long ready, Map<String, Object> arguments) {
		return new QueueSnapshot("order.retry.10s", "quorum", true, false, arguments, messages, ready, 0, "running",
				"a", List.of("a"), List.of("a"));
	}

}
