/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.migration;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.MessageProperties;
import io.github.rabbitretry.broker.BrokerCluster;
import io.github.rabbitretry.broker.BrokerNode;
import io.github.rabbitretry.internal.management.ManagementClient;
import io.github.rabbitretry.internal.management.ManagementSettings;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * In a cluster only one node counts a quorum queue's messages, and a migration may ask
 * any.
 */
class MigrationClusterIntegrationTests {

	private static BrokerCluster cluster;

	@BeforeAll
	static void start() {
		cluster = BrokerCluster.start(2);
	}

	@AfterAll
	static void close() {
		cluster.close();
	}

	@Test
	void eachNodeTellsWhatAConsumerHolds() throws Exception {
		BrokerNode leader = cluster.nodes().get(0);
		try (Connection connection = connect(leader); Channel channel = connection.createChannel()) {
			declare(channel, "held (by) a.consumer", Map.of());
			CountDownLatch delivered = new CountDownLatch(1);
			channel.basicConsume("held (by) a.consumer", false, (tag, delivery) -> delivered.countDown(), (tag) -> {
			});
			publish(channel, "held (by) a.consumer");
			delivered.await();
			eachNodeTells("held (by) a.consumer", leader, 1);
			channel.basicAck(1, false);
			eachNodeTells("held (by) a.consumer", leader, 0);
		}
	}

	@Test
	void eachNodeTellsWhatCantBeDeadLettered() throws Exception {
		BrokerNode leader = cluster.nodes().get(1);
		try (Connection connection = connect(leader); Channel channel = connection.createChannel()) {
			channel.exchangeDeclare("back", BuiltinExchangeType.DIRECT, true);
			declare(channel, "orders.retry.1ms",
					Map.of("x-message-ttl", 1, "x-dead-letter-exchange", "back", "x-dead-letter-routing-key", "nobody",
							"x-dead-letter-strategy", "at-least-once", "x-overflow", "reject-publish"));
			for (int number = 0; number < 3; number++) {
				publish(channel, "orders.retry.1ms");
			}
			eachNodeTells("orders.retry.1ms", leader, 3);
		}
	}

	private static void eachNodeTells(String queue, BrokerNode leader, int messages) {
		for (BrokerNode node : cluster.nodes()) {
			Awaitility.await()
				.atMost(Duration.ofSeconds(30))
				.untilAsserted(() -> assertThat(reader(node).depths(List.of(queue, "nobody's")))
					.containsExactly(new SeenDepth(queue, leader.nodeName(), messages)));
		}
	}

	private static Connection connect(BrokerNode node) throws Exception {
		ConnectionFactory factory = new ConnectionFactory();
		factory.setUri(node.amqpUri());
		return factory.newConnection();
	}

	private static LiveTopologyReader reader(BrokerNode node) {
		return new LiveTopologyReader(new ManagementClient(
				new ManagementSettings(node.managementUri().orElseThrow().toString().replaceAll("/+$", ""),
						node.username(), node.password(), "/")));
	}

	private static void declare(Channel channel, String queue, Map<String, Object> more) throws Exception {
		Map<String, Object> arguments = new HashMap<>(more);
		arguments.put("x-queue-type", "quorum");
		arguments.put("x-queue-leader-locator", "client-local");
		channel.queueDeclare(queue, true, false, false, arguments);
	}

	private static void publish(Channel channel, String queue) throws Exception {
		channel.basicPublish("", queue, MessageProperties.PERSISTENT_BASIC, "{}".getBytes(StandardCharsets.UTF_8));
	}

}
