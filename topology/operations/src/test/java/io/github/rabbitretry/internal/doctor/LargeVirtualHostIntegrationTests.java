/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.doctor;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LargeVirtualHostIntegrationTests {

	private static final int FOREIGN = 1500;

	@Test
	void thousandsOfQueuesOfOthersAreReadInSecondsAndHideNothing() throws Exception {
		try (BrokenBroker broker = new BrokenBroker("doctor-large"); Connection connection = broker.connect()) {
			Channel channel = connection.createChannel();
			for (int number = 0; number < FOREIGN; number++) {
				String queue = "somebody.else.has.a.queue.with.a.long.name." + number;
				channel.queueDeclareNoWait(queue, true, false, false, Map.of("x-message-ttl", 60_000));
				channel.queueBindNoWait(queue, "amq.topic", "somebody.else." + number + ".#", Map.of());
			}
			channel.queueDeclare("the-last-one", true, false, false, Map.of());
			Awaitility.await()
				.atMost(Duration.ofSeconds(60))
				.untilAsserted(() -> assertThat(broker.examine().findings()).isEmpty());
			Instant begin = Instant.now();
			TopologyReport report = broker.examine();
			assertThat(Duration.between(begin, Instant.now())).isLessThan(Duration.ofSeconds(20));
			assertThat(report.unexamined()).isEmpty();
			broker.delete("queues", "order.parking-lot");
			assertThat(broker.examine().findings()).extracting(Finding::code).contains("queue-missing");
		}
	}

}
