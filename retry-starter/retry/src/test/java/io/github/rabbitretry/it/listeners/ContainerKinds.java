/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it.listeners;

import java.util.List;
import java.util.Objects;

import com.rabbitmq.client.Channel;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageListener;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.DirectMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.adapter.MessageListenerAdapter;
import org.springframework.amqp.rabbit.listener.api.ChannelAwareMessageListener;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Kinds whose container the application makes itself.
 */
final class ContainerKinds {

	private static final KindsApplication APPLICATION = new KindsApplication(Application.class);

	private ContainerKinds() {
	}

	static List<ListenerKind> all() {
		return List.of(new ListenerKind("container bean of a MessageListener", APPLICATION),
				new ListenerKind("container bean of a ChannelAwareMessageListener", APPLICATION),
				new ListenerKind("container bean of a MessageListenerAdapter", APPLICATION));
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@Import(DeliveryRecord.class)
	static class Application {

		private final ConnectionFactory connectionFactory;

		private final String type;

		Application(ConnectionFactory connectionFactory, @Value("${spring.rabbitmq.listener.type}") String type) {
			this.connectionFactory = connectionFactory;
			this.type = type;
		}

		@Bean
		AbstractMessageListenerContainer plain() {
			return container("kinds.container-bean-of-a-messagelistener", Application::handle);
		}

		@Bean
		AbstractMessageListenerContainer channelAware() {
			ChannelAwareMessageListener listener = (message, channel) -> {
				assertThat(channel).isInstanceOf(Channel.class);
				handle(message);
			};
			return container("kinds.container-bean-of-a-channelawaremessagelistener", listener);
		}

		@Bean
		AbstractMessageListenerContainer adapter() {
			MessageListenerAdapter adapter = new MessageListenerAdapter(new Delegate(), "receive");
			adapter.setMessageConverter(AnnotatedApplication.json());
			return container("kinds.container-bean-of-a-messagelisteneradapter", adapter);
		}

		private AbstractMessageListenerContainer container(String queue, MessageListener listener) {
			AbstractMessageListenerContainer container = ContainerType.DIRECT.toString().equals(this.type)
					? new DirectMessageListenerContainer(this.connectionFactory)
					: new SimpleMessageListenerContainer(this.connectionFactory);
			container.setQueueNames(queue);
			container.setMessageListener(listener);
			return container;
		}

		private static void handle(Message message) {
			HandlerCalls.handle(Objects.requireNonNull(message.getMessageProperties().getMessageId()));
		}

	}

	static class Delegate {

		public void receive(java.util.Map<String, Object> order) {
			HandlerCalls.handle(String.valueOf(order.get("id")));
		}

	}

}
