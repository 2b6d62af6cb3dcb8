/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;

import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.sample.outside.LeastPrivilegeUsers;
import io.github.rabbitretry.sample.outside.OrderMessageType;
import io.github.rabbitretry.test.ParkingLotMessage;
import io.github.rabbitretry.test.ParkingLotReader;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The worker with a real broker, tested as a user of the starter would, with the exported
 * permissions alone: what is parked is read out of the parking lots, so the ledger must
 * not take it.
 */
@Tag("smoke")
class ParkedOrdersIntegrationTests {

	private static ConfigurableApplicationContext worker;

	private static final CachingConnectionFactory PRODUCER = new CachingConnectionFactory(Broker.shared().amqpUri());

	@BeforeAll
	static void start(@TempDir Path data) {
		List<String> arguments = LeastPrivilegeUsers.worker(Broker.shared(), OrderWorkerApplication.class,
				List.of("--server.port=0", "--rabbit-retry.ledger.enabled=false",
						"--rabbit-retry.console.enabled=false", "--order-worker.data=" + data));
		worker = new SpringApplicationBuilder(OrderWorkerApplication.class).run(arguments.toArray(String[]::new));
	}

	@AfterAll
	static void stop() {
		worker.close();
		deleteQueues();
		producer().destroy();
	}

	/** Who publishes commands is another user than the worker. */
	static CachingConnectionFactory producer() {
		return PRODUCER;
	}

	static void deleteQueues() {
		for (OrderMessageType type : OrderMessageType.values()) {
			Broker.shared().management().deleteAll(type.queue());
		}
	}

	@Test
	void anOrderOfAnUnknownSchemaLandsInTheParkingLot() {
		new RabbitTemplate(producer()).send("order.command", "order.command.create",
				MessageBuilder
					.withBody("{\"schemaVersion\":9,\"orderId\":\"o-1\",\"sku\":\"s\",\"quantity\":1}".getBytes())
					.setContentType("application/json")
					.setMessageId("m-1")
					.build());
		ParkingLotMessage parked = ParkingLotReader.in(worker, "CreateOrderCommand")
			.awaitOne("UNSUPPORTED_SCHEMA_VERSION");
		assertThat(parked.messageId()).isEqualTo("m-1");
		assertThat(parked.attempt()).isZero();
		assertThat(parked.failureClass()).isEqualTo("permanent-technical");
	}

	@Test
	void theWorkerExplainsItsDecisionsOverHttp() throws IOException, InterruptedException {
		assertThat(get("").body()).contains("\"messageType\":\"CapturePaymentCommand\"", "\"hits\":");
		HttpResponse<String> explained = get(
				"/CapturePaymentCommand?exception=java.net.SocketTimeoutException&attempt=1&messageAge=10m");
		assertThat(explained.statusCode()).isEqualTo(200);
		assertThat(explained.body()).contains("\"kind\":\"retry\"", "\"earliest\":\"PT30S\"",
				"payment.command.capture.retry.30s");
	}

	@Test
	void whatCanNotBeExplainedIsAnsweredWithASentence() throws IOException, InterruptedException {
		assertThat(get("/Refund?exception=java.io.IOException")).satisfies((response) -> {
			assertThat(response.statusCode()).isEqualTo(404);
			assertThat(response.body()).contains("There is no message policy 'Refund'; there are CreateOrderCommand");
		});
		assertThat(get("/CreateOrderCommand?exception=com.acme.Gone").statusCode()).isEqualTo(400);
		assertThat(get("/CreateOrderCommand").statusCode()).isEqualTo(400);
		assertThat(get("/CreateOrderCommand?exception=java.io.IOException&attempt=many").statusCode()).isEqualTo(400);
	}

	private static HttpResponse<String> get(String path) throws IOException, InterruptedException {
		String port = worker.getEnvironment().getRequiredProperty("local.server.port");
		URI uri = URI.create("http://127.0.0.1:%s/actuator/retryexplain%s".formatted(port, path));
		return HttpClient.newHttpClient().send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
	}

}
