/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it.listeners;

import java.util.List;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.github.rabbitretry.it.TestBroker;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.batch.MessageBatch;
import org.springframework.amqp.rabbit.batch.SimpleBatchingStrategy;
import org.springframework.amqp.rabbit.support.DefaultMessagePropertiesConverter;
import org.springframework.amqp.support.converter.JacksonJsonMessageConverter;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * Kinds that take lists, or messages of which a producer made one. Simple containers
 * gather the lists; in direct ones each has the messages of one delivery.
 */
final class BatchKinds {

	private static final KindsApplication LISTS = new KindsApplication(Lists.class,
			"spring.rabbitmq.listener.simple.consumer-batch-enabled=true",
			"spring.rabbitmq.listener.simple.batch-size=5");

	private static final KindsApplication SINGLE = new KindsApplication(Single.class);

	private BatchKinds() {
	}

	static List<ListenerKind> all() {
		return List.of(new ListenerKind("List of payloads", LISTS), new ListenerKind("List of Message", LISTS),
				new Produced("producer batch for a List", LISTS), new Produced("producer batch", SINGLE));
	}

	/**
	 * The broker can take back only all of a producer's batch, so it goes to the ring.
	 */
	private static final class Produced extends ListenerKind {

		Produced(String name, KindsApplication application) {
			super(name, application);
		}

		@Override
		void send(TestBroker broker, String id, Outcome outcome) {
			SimpleBatchingStrategy strategy = new SimpleBatchingStrategy(1, Integer.MAX_VALUE, 0);
			MessageBatch batch = strategy.addToBatch("", queue(),
					MessageBuilder.withBody(body(id, outcome).getBytes())
						.setMessageId(id)
						.setContentType("application/json")
						.setHeader("tenant", "acme")
						.build());
			BasicProperties properties = new DefaultMessagePropertiesConverter()
				.fromMessageProperties(batch.message().getMessageProperties(), "UTF-8");
			broker.send(queue(), properties, batch.message().getBody());
		}

	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@Import(DeliveryRecord.class)
	static class Lists {

		@Bean
		static JacksonJsonMessageConverter json() {
			return AnnotatedApplication.json();
		}

		@RabbitListener(queues = "kinds.list-of-payloads", batch = "true")
		void payloads(List<Order> orders) {
			orders.forEach((order) -> HandlerCalls.handle(order.id()));
		}

		@RabbitListener(queues = "kinds.list-of-message", batch = "true")
		void messages(List<Message> messages) {
			messages.forEach((message) -> HandlerCalls.handle(message.getMessageProperties().getMessageId()));
		}

		@RabbitListener(queues = "kinds.producer-batch-for-a-list", batch = "true")
		void produced(List<Order> orders) {
			orders.forEach((order) -> HandlerCalls.handle(order.id()));
		}

	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@Import(DeliveryRecord.class)
	static class Single {

		@Bean
		static JacksonJsonMessageConverter json() {
			return AnnotatedApplication.json();
		}

		@RabbitListener(queues = "kinds.producer-batch")
		void single(Order order) {
			HandlerCalls.handle(order.id());
		}

	}

}
