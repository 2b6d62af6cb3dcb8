/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.GetResponse;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.core.AcknowledgeMode;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageListener;
import org.springframework.amqp.rabbit.config.ListenerContainerFactoryBean;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.DirectMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.adapter.MessageListenerAdapter;
import org.springframework.amqp.rabbit.listener.api.ChannelAwareMessageListener;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Containers that are beans of the application, which no registry knows.
 */
class ManualContainersIntegrationTests {

	private static final List<String> QUEUES = List.of("handmade.simple", "handmade.direct", "handmade.adapter",
			"handmade.factory", "handmade.lazy");

	private final TestBroker broker = TestBroker.connect();

	private @Nullable ConfigurableApplicationContext application;

	@BeforeEach
	void start() throws Exception {
		this.broker.channel().queueDeclare("handmade.stranger", true, false, false, null);
		Application.handled.clear();
		this.application = TestApplication.start(Application.class, "rabbit-retry.defaults.retry-backoff=fixed",
				"rabbit-retry.defaults.initial-delay=200ms", "rabbit-retry.defaults.broker-attempts=2",
				"rabbit-retry.defaults.local-attempts=1", "rabbit-retry.message-policies.Simple.queue=handmade.simple",
				"rabbit-retry.message-policies.Direct.queue=handmade.direct",
				"rabbit-retry.message-policies.Adapter.queue=handmade.adapter",
				"rabbit-retry.message-policies.Factory.queue=handmade.factory",
				"rabbit-retry.message-policies.Lazy.queue=handmade.lazy");
	}

	@AfterEach
	void stop() throws Exception {
		close();
		QUEUES.forEach(this.broker::deleteAll);
		this.broker.channel().queueDelete("handmade.stranger");
		this.broker.close();
	}

	@Test
	void areRetriedWithinTheirBudgetAndParked() {
		context().getBean("lazy", AbstractMessageListenerContainer.class).start();
		QUEUES.forEach((queue) -> this.broker.sendJson(queue, "m", Map.of(), "fail"));
		assertThat(QUEUES).allSatisfy((queue) -> {
			Map<String, Object> headers = TestBroker.text(this.broker.take(queue + ".parking-lot"));
			assertThat(headers).containsEntry("x-app-retry-attempt", "2")
				.containsEntry("x-app-exception", "java.lang.IllegalStateException");
			assertThat(Application.handled).filteredOn(queue::equals).hasSize(3);
		});
		close();
		assertThat(QUEUES).allSatisfy((queue) -> assertThat(this.broker.ready(queue)).isZero());
	}

	@Test
	void haveAQuarantineThatRunsBesideThem() {
		for (String name : List.of("simple", "direct", "factory")) {
			String queue = "handmade." + name;
			awaitConsumers(queue + ".quarantine", 1);
			this.broker.sendJson(queue + ".quarantine", "m", Map.of(), "innocent");
			Awaitility.await().until(() -> Application.handled.contains(queue + ".quarantine"));
			context().getBean(name, AbstractMessageListenerContainer.class).stop();
			awaitConsumers(queue + ".quarantine", 0);
			assertThat(this.broker.ready(queue + ".quarantine")).isZero();
		}
	}

	@Test
	void stopWithTheApplicationAndGiveBackWhatTheyHold() {
		for (int i = 0; i < 200; i++) {
			this.broker.sendJson("handmade.simple", "m-" + i, Map.of(), "slow");
			this.broker.sendJson("handmade.direct", "m-" + i, Map.of(), "slow");
		}
		Awaitility.await().until(() -> Application.handled.size() > 20);
		close();
		List<GetResponse> left = this.broker.drain("handmade.simple");
		left.addAll(this.broker.drain("handmade.direct"));
		assertThat(left.size() + Application.handled.size()).isEqualTo(400);
	}

	@Test
	void ofQueuesWithoutAPolicyAreLeftAlone() {
		AbstractMessageListenerContainer container = context().getBean("stranger",
				AbstractMessageListenerContainer.class);
		assertThat(container.getAcknowledgeMode()).isEqualTo(AcknowledgeMode.AUTO);
		this.broker.sendJson("handmade.stranger", "m", Map.of(), "fail");
		Awaitility.await()
			.untilAsserted(() -> assertThat(Application.handled).filteredOn("handmade.stranger"::equals)
				.hasSizeGreaterThan(10));
	}

	private ConfigurableApplicationContext context() {
		assertThat(this.application).isNotNull();
		return this.application;
	}

	private void close() {
		if (this.application != null) {
			this.application.close();
			this.application = null;
		}
	}

	private void awaitConsumers(String queue, long count) {
		Channel channel = this.broker.channel();
		Awaitility.await().until(() -> channel.consumerCount(queue) == count);
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		static final List<String> handled = new CopyOnWriteArrayList<>();

		@Bean
		SimpleMessageListenerContainer simple(ConnectionFactory connectionFactory) {
			SimpleMessageListenerContainer container = new SimpleMessageListenerContainer(connectionFactory);
			container.setQueueNames("handmade.simple");
			container.setMessageListener(Application::handle);
			return container;
		}

		@Bean
		DirectMessageListenerContainer direct(ConnectionFactory connectionFactory) {
			DirectMessageListenerContainer container = new DirectMessageListenerContainer(connectionFactory);
			container.setQueueNames("handmade.direct");
			container.setMessageListener((ChannelAwareMessageListener) (message, channel) -> handle(message));
			return container;
		}

		@Bean
		SimpleMessageListenerContainer adapter(ConnectionFactory connectionFactory) {
			SimpleMessageListenerContainer container = new SimpleMessageListenerContainer(connectionFactory);
			container.setQueueNames("handmade.adapter");
			container.setMessageListener(new MessageListenerAdapter(new Delegate(), "receive"));
			// as somebody does who initializes it by hand
			container.afterPropertiesSet();
			return container;
		}

		@Bean
		ListenerContainerFactoryBean factory(ConnectionFactory connectionFactory) {
			ListenerContainerFactoryBean factory = new ListenerContainerFactoryBean();
			factory.setConnectionFactory(connectionFactory);
			factory.setQueueNames("handmade.factory");
			factory.setMessageListener((MessageListener) Application::handle);
			return factory;
		}

		@Bean
		@Lazy
		SimpleMessageListenerContainer lazy(ConnectionFactory connectionFactory) {
			SimpleMessageListenerContainer container = new SimpleMessageListenerContainer(connectionFactory);
			container.setQueueNames("handmade.lazy");
			container.setMessageListener(Application::handle);
			return container;
		}

		@Bean
		SimpleMessageListenerContainer stranger(ConnectionFactory connectionFactory) {
			SimpleMessageListenerContainer container = new SimpleMessageListenerContainer(connectionFactory);
			container.setQueueNames("handmade.stranger");
			container.setMessageListener(Application::handle);
			return container;
		}

		private static void handle(Message message) {
			handle(message.getMessageProperties().getConsumerQueue(), new String(message.getBody()));
		}

		static void handle(String queue, String body) {
			if (handled.size() > 5000) {
				return;
			}
			handled.add(queue);
			if (body.equals("fail")) {
				throw new IllegalStateException("no");
			}
			if (body.equals("slow")) {
				Awaitility.await().pollDelay(Duration.ofMillis(20)).until(() -> true);
			}
		}

	}

	static class Delegate {

		public void receive(byte[] body) {
			Application.handle("handmade.adapter", new String(body));
		}

	}

}
