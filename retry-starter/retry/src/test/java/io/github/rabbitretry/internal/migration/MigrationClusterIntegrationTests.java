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
import java.util.Set;
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
import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.internal.topology.QueueModel;
import io.github.rabbitretry.internal.topology.QueueType;
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
		cluster = BrokerCluster.start(3);
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

	/**
	 * What dead-letters from there needs the exchange that the configuration has no more.
	 */
	@Test
	void whileAQueueOfOursIsOnANodeThatIsDownNothingIsApplied() throws Exception {
		MessageTopology former = classic("apart");
		MigratedType renamed = new MigratedType(classic("apart.v2"), former);
		BrokerNode down = cluster.nodes().get(2);
		try (Connection connection = connect(down); Channel channel = connection.createChannel()) {
			for (QueueModel queue : former.ownQueues()) {
				channel.queueDeclare(queue.name(), true, false, false, queue.declaredArguments());
			}
		}
		LiveTopologyReader reader = reader(cluster.nodes().get(0));
		assertThat(plan(renamed, reader).obstacles()).isEmpty();
		down.kill();
		try {
			Awaitility.await()
				.atMost(Duration.ofSeconds(60))
				.untilAsserted(() -> assertThat(reader.queue("apart.retry.3m")).get()
					.extracting(SeenQueue::available)
					.isEqualTo(false));
			assertThat(reader.depths(List.of("apart.retry.3m"))).isEmpty();
			assertThat(plan(renamed, reader).obstacles()).hasSize(former.ownQueues().size())
				.anyMatch((why) -> why.contains("'apart.retry.3m' does not answer"));
		}
		finally {
			down.startAgain();
		}
		Awaitility.await()
			.atMost(Duration.ofSeconds(60))
			.untilAsserted(() -> assertThat(plan(renamed, reader).obstacles()).isEmpty());
	}

	private static MessageTopology classic(String queue) {
		return MessageTopology.of(queue).queueType(QueueType.CLASSIC).delays(List.of(Duration.ofMinutes(3))).build();
	}

	private static MigrationPlan plan(MigratedType type, LiveTopologyReader reader) {
		return new MigrationPlanner(List.of(type), reader.read(), Set.of()).plan();
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
