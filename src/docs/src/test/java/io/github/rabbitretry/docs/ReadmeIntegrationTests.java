/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.docs;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import com.sun.net.httpserver.HttpServer;
import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.test.ParkingLotMessage;
import io.github.rabbitretry.test.ParkingLotReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The README's YAML and listener, in a service whose stock service answers 503.
 */
class ReadmeIntegrationTests {

	private static final String QUEUE = "order.command.create";

	private static final String APPLICATION = """
			package orders;

			import org.springframework.boot.*;
			import org.springframework.boot.autoconfigure.*;
			import org.springframework.context.annotation.*;
			import org.springframework.web.client.*;

			@SpringBootApplication
			public class Orders {

				public static void main(String[] args) {
					SpringApplication.run(Orders.class, args);
				}

				@Bean
				RestClient stock(@org.springframework.beans.factory.annotation.Value("${stock}") String stock) {
					return RestClient.create(stock);
				}

			}
			""";

	private static final String LISTENER = """
			package orders;

			import org.springframework.amqp.rabbit.annotation.*;
			import org.springframework.stereotype.*;
			import org.springframework.web.client.*;

			""";

	private final Page readme = Page.of("README.md");

	private final HttpServer stock;

	private final SnippetService service;

	ReadmeIntegrationTests(@TempDir Path folder) throws IOException {
		this.service = new SnippetService(folder, "orders.Orders");
		this.stock = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
		this.stock.createContext("/", (exchange) -> {
			exchange.sendResponseHeaders(503, -1);
			exchange.close();
		});
	}

	@BeforeEach
	void writeTheService() throws IOException {
		this.stock.start();
		this.service.write("src/main/java/orders/Orders.java", APPLICATION);
		this.service.write("src/main/java/orders/OrderListener.java", LISTENER + this.readme.blocks("java").get(0));
		this.service.write("src/main/resources/application.yml", this.readme.blocks("yaml").get(0));
	}

	@AfterEach
	void stop() {
		this.service.close();
		this.stock.stop(0);
		Broker.shared().management().deleteAll(QUEUE);
	}

	@Test
	void theLogAndTheHeadersAreWhatTheServicePrints() throws Exception {
		start();
		lines(this.readme.blocks("text").get(0))
			.forEach((line) -> this.service.awaitLog(Pattern.compile(line, Pattern.LITERAL)));
		this.service.close();
		start("--rabbit-retry.message-policies.CreateOrder.initial-delay=100ms",
				"--rabbit-retry.message-policies.CreateOrder.multiplier=1");
		assertThat(headersOfOneParkedMessage()).containsAllEntriesOf(headersOnThePage());
	}

	private void start(String... delays) throws IOException {
		String[] arguments = Stream
			.concat(Stream.of("--spring.application.name=order-service",
					"--stock=http://127.0.0.1:" + this.stock.getAddress().getPort()), Arrays.stream(delays))
			.toArray(String[]::new);
		this.service.start(false, arguments);
	}

	/** Wrapped lines end with a backslash. */
	private static List<String> lines(String block) {
		return block.replaceAll("\\\\\n\\s*", "").lines().map((line) -> line.replaceAll("\\s+", " ")).toList();
	}

	private Map<String, String> headersOnThePage() {
		Map<String, String> headers = new TreeMap<>();
		lines(this.readme.blocks("text").get(1)).forEach((line) -> {
			String[] parts = line.split(": ", 2);
			headers.put(parts[0], masked(parts[1]));
		});
		return headers;
	}

	private Map<String, String> headersOfOneParkedMessage() throws Exception {
		CachingConnectionFactory connections = new CachingConnectionFactory();
		try {
			connections.setUri(Broker.shared().amqpUri());
			new RabbitTemplate(connections).convertAndSend("", QUEUE, "{\"orderId\":1}", (message) -> {
				message.getMessageProperties().setMessageId("order-1");
				return message;
			});
			ParkingLotMessage parked = ParkingLotReader.in(connections, QUEUE + ".parking-lot")
				.awaitOne("RETRY_BUDGET_EXHAUSTED", Duration.ofSeconds(60));
			Map<String, String> headers = new TreeMap<>();
			parked.headers().forEach((name, value) -> headers.put(name, masked(String.valueOf(value))));
			return headers;
		}
		finally {
			connections.destroy();
		}
	}

	/** Times, ids and ports are others each time. */
	private static String masked(String value) {
		return value.replaceAll("\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z", "TIME")
			.replaceAll("\\b[0-9a-f]{8,}\\b", "HASH")
			.replaceAll("127\\.0\\.0\\.1:\\d+|localhost:\\d+", "STOCK")
			.replaceAll("\\s+", " ");
	}

}
