/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.sample.outside.Operator;
import io.github.rabbitretry.sample.outside.ParkedOrder;
import io.github.rabbitretry.sample.outside.Surroundings;
import io.github.rabbitretry.sample.outside.WorkerProcess;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The worker as {@code spring-boot:process-aot} prepared it.
 */
class AheadOfTimeIntegrationTests {

	@Test
	void theWorkerRetriesParksAndStoresWithGeneratedBeanDefinitions(@TempDir Path data)
			throws IOException, TimeoutException {
		try (Broker broker = Broker.start();
				WorkerProcess worker = new WorkerProcess(Surroundings.jar(),
						Surroundings.target().resolve("aot-worker.log"), broker.amqpUri(),
						List.of("-Dspring.aot.enabled=true"), List.of("--order-worker.data=" + data))) {
			worker.start();
			assertThat(worker.log()).content().contains("Starting AOT-processed OrderWorkerApplication");
			try (Connection connection = Surroundings.connect(broker, "aot");
					Channel channel = connection.createChannel()) {
				publish(channel, "order.command", "order.command.create", "unknown-schema",
						"{\"schemaVersion\":9,\"orderId\":\"o-1\",\"sku\":\"s\",\"quantity\":1}");
				publish(channel, "payment.command", "payment.command.capture", "malformed", "{");
				Operator operator = new Operator(worker.address(), (line) -> {
				});
				List<ParkedOrder> parked = Awaitility.await()
					.atMost(Duration.ofSeconds(30))
					.until(operator::ledger, (orders) -> orders.size() == 2);
				assertThat(parked).containsExactlyInAnyOrder(
						new ParkedOrder("unknown-schema", "UNSUPPORTED_SCHEMA_VERSION", 0, "PARKED"),
						new ParkedOrder("malformed", "DESERIALIZATION_FAILED", 0, "PARKED"));
				assertThat(channel.messageCount("order.command.create")).isZero();
			}
		}
	}

	private static void publish(Channel channel, String exchange, String routingKey, String id, String body)
			throws IOException {
		channel.basicPublish(exchange, routingKey,
				new BasicProperties.Builder().messageId(id).contentType("application/json").deliveryMode(2).build(),
				body.getBytes(StandardCharsets.UTF_8));
	}

}
