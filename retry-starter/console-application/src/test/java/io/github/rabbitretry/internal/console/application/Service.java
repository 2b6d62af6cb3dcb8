/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console.application;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.database.Database;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * A service whose handler fails for messages of kinds that are not repaired.
 */
final class Service implements AutoCloseable {

	/** Beginnings of ids. */
	static final Set<String> REPAIRED = ConcurrentHashMap.newKeySet();

	/** Ids of messages, as often as they were handled. */
	static final List<String> HANDLED = Collections.synchronizedList(new ArrayList<>());

	private final String name;

	private final String queue;

	private final List<String> arguments;

	private ConfigurableApplicationContext context;

	Service(String name, String database, String messageType, String queue, String... policy) {
		this.name = name;
		this.queue = queue;
		String prefix = "rabbit-retry.message-policies." + messageType + ".";
		this.arguments = Stream
			.concat(Stream.of("spring.config.location=optional:file:./none/", "spring.application.name=" + name,
					"spring.rabbitmq.addresses=" + Broker.shared().amqpUri(), "spring.datasource.url=" + database,
					"spring.datasource.username=" + Database.shared().username(),
					"spring.datasource.password=" + Database.shared().password(),
					"rabbit-retry.ledger.initialize-schema=always", "test.queue=" + queue, prefix + "queue=" + queue,
					prefix + "owner=team-" + name, prefix + "local-attempts=1"), Stream.of(policy).map(prefix::concat))
			.map("--"::concat)
			.toList();
		this.context = run();
	}

	private ConfigurableApplicationContext run() {
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.run(this.arguments.toArray(String[]::new));
	}

	String name() {
		return this.name;
	}

	String queue() {
		return this.queue;
	}

	void send(String kind, int count) {
		RabbitTemplate template = this.context.getBean(RabbitTemplate.class);
		template.setUsePublisherConnection(true);
		for (int number = 0; number < count; number++) {
			template.send("", this.queue,
					MessageBuilder.withBody("{\"number\":%d}".formatted(number).getBytes(StandardCharsets.UTF_8))
						.setContentType("application/json")
						.setMessageId("%s-%s-%d".formatted(kind, this.name, number))
						.build());
		}
	}

	void stop() {
		this.context.close();
	}

	void startAgain() {
		this.context = run();
	}

	@Override
	public void close() {
		this.context.close();
	}

	/** The service. */
	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@RabbitListener(queues = "${test.queue}")
		void handle(Message message) {
			String id = message.getMessageProperties().getMessageId();
			if (REPAIRED.stream().noneMatch(id::startsWith)) {
				throw new IllegalStateException("not repaired");
			}
			HANDLED.add(id);
		}

	}

}
