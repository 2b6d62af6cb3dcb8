/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.github.rabbitretry.internal.parking.publication.ReplaySettings;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * A service as users have it, with a configuration that names its own classes.
 */
final class OrderService implements AutoCloseable {

	static volatile boolean broken = true;

	private final ServletWebServerApplicationContext context;

	private OrderService(ServletWebServerApplicationContext context) {
		this.context = context;
	}

	static OrderService start(Path config, String... properties) {
		List<String> arguments = new ArrayList<>(
				List.of("--spring.config.location=" + config.toUri(), "--server.port=0", "--server.address=127.0.0.1"));
		for (String property : properties) {
			arguments.add("--" + property);
		}
		return new OrderService((ServletWebServerApplicationContext) new SpringApplicationBuilder(Application.class)
			.web(WebApplicationType.SERVLET)
			.run(arguments.toArray(String[]::new)));
	}

	/** The service's application.yml. */
	static Path config(Path file, String queue, String broker, String database, String more) throws IOException {
		return Files.writeString(file, """
				spring:
				  application.name: order-worker
				  rabbitmq.addresses: %s
				%s
				logging.file.name: %s
				management.endpoints.web.exposure.include: "*"
				management.endpoint.parkinglot.show-payload: always
				rabbit-retry:
				  message-policies:
				    CreateOrder:
				      queue: %s
				      owner: team-orders
				      broker-attempts: 0
				      local-attempts: 1
				  classification.rules:
				    - exception: %s
				      failure-class: permanent-business
				      reason: NO_SUCH_ORDER
				  ledger.initialize-schema: always
				%s
				""".formatted(broker, database, file.resolveSibling("service.log"), queue,
				NoSuchOrderException.class.getName(), more));
	}

	String url() {
		return "http://127.0.0.1:" + this.context.getWebServer().getPort() + "/actuator";
	}

	@Override
	public void close() {
		this.context.close();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		ReplaySettings smallBatchesSoon() {
			return new ReplaySettings(Duration.ofSeconds(2), 10, Duration.ofMillis(50), 4, Duration.ofSeconds(30),
					Duration.ofDays(90), false);
		}

		@RabbitListener(queues = "${rabbit-retry.message-policies.CreateOrder.queue}")
		void handle(Message message) {
			if (broken) {
				throw new NoSuchOrderException();
			}
		}

	}

	static final class NoSuchOrderException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		NoSuchOrderException() {
			super("no\u001b[2J\r\norder");
		}

	}

}
