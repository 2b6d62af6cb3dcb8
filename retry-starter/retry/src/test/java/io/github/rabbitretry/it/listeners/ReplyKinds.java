/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it.listeners;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.GetResponse;
import io.github.rabbitretry.it.TestBroker;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.messaging.handler.annotation.SendTo;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Kinds that return a reply. Its requester gets it once, after whatever attempts, and
 * none for a message that is parked.
 */
final class ReplyKinds {

	private static final String REPLIES = "kinds.sendto.replies";

	private ReplyKinds() {
	}

	static List<ListenerKind> all() {
		return List.of(new SentTo(), new Requested("reply-to"));
	}

	/** Its replies go to a queue. */
	private static final class SentTo extends ListenerKind {

		SentTo() {
			super("@SendTo", AnnotatedApplication.APPLICATION);
		}

		@Override
		void send(TestBroker broker, String id, Outcome outcome) {
			try {
				broker.channel().queueDeclare(REPLIES, true, false, false, null);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
			super.send(broker, id, outcome);
		}

		@Override
		void verify(TestBroker broker, String id, Outcome outcome) {
			super.verify(broker, id, outcome);
			if (outcome != Outcome.PARK) {
				GetResponse reply = broker.take(REPLIES);
				assertThat(reply.getProps().getCorrelationId()).isEqualTo(id);
				assertThat(new String(reply.getBody())).contains(id);
			}
			assertThat(broker.ready(REPLIES)).isZero();
		}

	}

	/** Its replies go to who asked, by RabbitMQ's direct reply-to. */
	static class Requested extends ListenerKind {

		private static final String DIRECT = "amq.rabbitmq.reply-to";

		private static final BlockingQueue<Delivery> replies = new LinkedBlockingQueue<>();

		private static @Nullable TestBroker consuming;

		Requested(String name) {
			super(name, AnnotatedApplication.APPLICATION);
		}

		@Override
		void send(TestBroker broker, String id, Outcome outcome) {
			if (consuming != broker) {
				consume(broker);
			}
			super.send(broker, id, outcome);
		}

		private static void consume(TestBroker broker) {
			replies.clear();
			try {
				broker.channel().basicConsume(DIRECT, true, (tag, reply) -> replies.add(reply), (tag) -> {
				});
				consuming = broker;
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

		@Override
		BasicProperties.Builder properties(String id) {
			return super.properties(id).replyTo(DIRECT);
		}

		@Override
		void verify(TestBroker broker, String id, Outcome outcome) {
			super.verify(broker, id, outcome);
			if (outcome != Outcome.PARK) {
				Delivery reply = reply();
				assertThat(reply.getProperties().getCorrelationId()).isEqualTo(id);
				assertThat(new String(reply.getBody())).contains(id);
			}
			assertThat(replies).isEmpty();
		}

		private static Delivery reply() {
			try {
				Delivery reply = replies.poll(10, TimeUnit.SECONDS);
				assertThat(reply).isNotNull();
				return reply;
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}

	}

	static class Listeners {

		@RabbitListener(queues = "kinds.sendto")
		@SendTo(REPLIES)
		Order sent(Order order) {
			HandlerCalls.handle(order.id());
			return order;
		}

		@RabbitListener(queues = "kinds.reply-to")
		Order requested(Order order) {
			HandlerCalls.handle(order.id());
			return order;
		}

	}

}
