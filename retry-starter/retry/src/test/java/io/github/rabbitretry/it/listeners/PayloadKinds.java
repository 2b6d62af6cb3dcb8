/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it.listeners;

import java.io.IOException;
import java.util.List;
import java.util.Map;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import io.github.rabbitretry.handler.RetryContext;
import io.github.rabbitretry.it.TestBroker;
import jakarta.validation.Valid;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitHandler;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.support.AmqpHeaders;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Payload;
import org.springframework.messaging.handler.annotation.support.MethodArgumentNotValidException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Kinds that differ in what a method takes.
 */
final class PayloadKinds {

	private static final String MESSAGING = "Message of spring-messaging";

	private PayloadKinds() {
	}

	static List<ListenerKind> all() {
		return List.of(kind("typed payload"), kind("Message"), kind(MESSAGING), kind("@Payload and @Header"),
				new Validated(), new HandlerClassKind(), kind("Channel argument"), kind("RetryContext argument"));
	}

	private static ListenerKind kind(String name) {
		return new ListenerKind(name, AnnotatedApplication.APPLICATION);
	}

	/** What is not valid is parked at once, and its handler is not called. */
	private static final class Validated extends ListenerKind {

		Validated() {
			super("@Valid payload", AnnotatedApplication.APPLICATION);
		}

		@Override
		String body(String id, Outcome outcome) {
			return "{\"id\":\"%s\",\"quantity\":%d}".formatted(id, (outcome == Outcome.PARK) ? 0 : 1);
		}

		@Override
		int calls(Outcome outcome) {
			return (outcome == Outcome.PARK) ? 0 : super.calls(outcome);
		}

		@Override
		List<String> events(Outcome outcome) {
			return (outcome == Outcome.PARK) ? List.of("parked") : super.events(outcome);
		}

		@Override
		String exception() {
			return MethodArgumentNotValidException.class.getName();
		}

	}

	private static final class HandlerClassKind extends ListenerKind {

		HandlerClassKind() {
			super("@RabbitHandler class", AnnotatedApplication.APPLICATION);
		}

		@Override
		BasicProperties.Builder properties(String id) {
			return TestBroker.json(id).headers(Map.of("__TypeId__", Order.class.getName()));
		}

	}

	static class Listeners {

		@RabbitListener(queues = "kinds.typed-payload")
		void typed(Order order) {
			HandlerCalls.handle(order.id());
		}

		@RabbitListener(queues = "kinds.message")
		void message(Message message) {
			HandlerCalls.handle(message.getMessageProperties().getMessageId());
		}

		@RabbitListener(queues = "kinds.message-of-spring-messaging")
		void messaging(org.springframework.messaging.Message<Order> message) {
			HandlerCalls.handle(message.getPayload().id());
		}

		@RabbitListener(queues = "kinds.payload-and-header")
		void header(@Payload Order order, @Header("tenant") String tenant,
				@Header(AmqpHeaders.MESSAGE_ID) String messageId) {
			assertThat(tenant).isEqualTo("acme");
			assertThat(messageId).isEqualTo(order.id());
			HandlerCalls.handle(order.id());
		}

		@RabbitListener(queues = "kinds.valid-payload")
		void valid(@Payload @Valid Order order) {
			HandlerCalls.handle(order.id());
		}

		@RabbitListener(queues = "kinds.channel-argument")
		void channel(Order order, Channel channel) throws IOException {
			assertThat(channel.messageCount("kinds.channel-argument")).isZero();
			HandlerCalls.handle(order.id());
		}

		@RabbitListener(queues = "kinds.retrycontext-argument")
		void context(Order order, RetryContext context) {
			assertThat(RetryContext.current()).containsSame(context);
			HandlerCalls.handle(order.id());
		}

	}

	@RabbitListener(queues = "kinds.rabbithandler-class")
	static class HandlerClass {

		@RabbitHandler
		void order(Order order) {
			HandlerCalls.handle(order.id());
		}

		@RabbitHandler(isDefault = true)
		void anythingElse(Object payload) {
			throw new AssertionError(payload);
		}

	}

}
