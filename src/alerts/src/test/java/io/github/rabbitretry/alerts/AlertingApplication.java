/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.alerts;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.handler.ParkMessageException;
import io.github.rabbitretry.handler.RejectMessageException;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * A service with a policy for each trouble.
 */
@SpringBootConfiguration
@EnableAutoConfiguration
class AlertingApplication {

	private static final String POLICY = "rabbit-retry.message-policies.";

	static ConfigurableApplicationContext start(Broker broker, String... more) throws IOException {
		Path configuration = Files.createTempFile("runbook", ".yml");
		Files.writeString(configuration, Runbook.configuration());
		List<String> arguments = new ArrayList<>(List.of("--spring.application.name=alerting",
				"--spring.rabbitmq.host=" + broker.host(), "--spring.rabbitmq.port=" + broker.port(),
				"--spring.rabbitmq.username=" + broker.username(), "--spring.rabbitmq.password=" + broker.password(),
				"--rabbit-retry.broker.management-url=http://127.0.0.1:"
						+ broker.managementUri().orElseThrow().getPort(),
				"--server.address=127.0.0.1", "--server.port=0",
				"--spring.config.additional-location=" + configuration.toUri(),
				"--spring.datasource.url=jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1".formatted(UUID.randomUUID()),
				"--rabbit-retry.ledger.enabled=true", "--rabbit-retry.defaults.owner=team-orders",
				"--rabbit-retry.defaults.local-attempts=1", "--rabbit-retry.defaults.retry-backoff=fixed",
				"--rabbit-retry.defaults.initial-delay=1s", "--rabbit-retry.defaults.broker-attempts=2"));
		for (String type : List.of("Healthy", "Aging", "Parking", "Unowned", "Lost", "Calling", "InOrder", "Idle")) {
			arguments.add("--" + POLICY + type + ".queue=" + queue(type));
		}
		for (String argument : more) {
			arguments.add("--" + argument);
		}
		try {
			return new SpringApplicationBuilder(AlertingApplication.class).run(arguments.toArray(String[]::new));
		}
		finally {
			Files.delete(configuration);
		}
	}

	/** What only an application has that is in trouble. */
	static String[] troubles() {
		return new String[] { POLICY + "Aging.max-retry-age=10s", POLICY + "Aging.broker-attempts=20",
				POLICY + "Aging.escalate-after=2", POLICY + "Unowned.owner=unowned",
				POLICY + "Calling.outage.enabled=true", POLICY + "Calling.outage.dependency=crm",
				POLICY + "Calling.outage.calls=2", POLICY + "InOrder.ordering=queue",
				POLICY + "InOrder.when-parked=block", POLICY + "InOrder.initial-delay=100ms",
				POLICY + "Healthy.deduplication.store=in-memory", POLICY + "Healthy.rejection.exchange=alerting.events",
				POLICY + "Healthy.rejection.mandatory=false", POLICY + "Healthy.handler-timeout=30s",
				"rabbit-retry.topology.policies-interval=10s", "rabbit-retry.dead-letter-consumer.enabled=false" };
	}

	static String queue(String type) {
		return "alerting." + type.toLowerCase();
	}

	@RabbitListener(queues = "alerting.healthy", concurrency = "2")
	void healthy(Message message) throws Exception {
		Object what = message.getMessageProperties().getHeader("what");
		if ("once".equals(what) && message.getMessageProperties().getHeader("x-app-retry-attempt") == null) {
			throw new SocketTimeoutException("no answer");
		}
		if ("reject".equals(what)) {
			throw RejectMessageException.because("CREDIT_REFUSED");
		}
	}

	@RabbitListener(queues = { "alerting.aging" })
	void aging(Message message) throws Exception {
		throw new SocketTimeoutException("no answer");
	}

	@RabbitListener(queues = "alerting.calling")
	void calling(Message message) throws Exception {
		throw new SocketTimeoutException("no answer");
	}

	@RabbitListener(queues = "alerting.inorder")
	void inOrder(Message message) throws Exception {
		throw new SocketTimeoutException("no answer");
	}

	@RabbitListener(queues = { "alerting.parking" }, concurrency = "4")
	void parking(Message message) {
		throw ParkMessageException.because("NO_SUCH_ORDER");
	}

	@RabbitListener(queues = "alerting.unowned")
	void unowned(Message message) {
		throw ParkMessageException.because("NO_SUCH_ORDER");
	}

	@RabbitListener(queues = "alerting.idle", autoStartup = "false")
	void idle(Message message) {
	}

	@RabbitListener(queues = "alerting.lost")
	void lost(Message message) {
		throw ParkMessageException.because("NO_SUCH_ORDER");
	}

}
