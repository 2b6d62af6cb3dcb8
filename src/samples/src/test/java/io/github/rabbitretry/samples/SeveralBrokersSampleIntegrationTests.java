/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.samples;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.github.rabbitretry.broker.Broker;
import org.awaitility.Awaitility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.amqp.rabbit.annotation.MultiRabbitListenerAnnotationBeanPostProcessor;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.connection.SimpleResourceHolder;
import org.springframework.amqp.rabbit.connection.SimpleRoutingConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitAdmin;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Several brokers, a template that routes, and a registry of listeners that the
 * application made itself.
 */
class SeveralBrokersSampleIntegrationTests {

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void messagesAreHandledAndWithPoliciesRetried(boolean policies) {
		Listeners.calls.clear();
		String run = UUID.randomUUID().toString();
		try (ConfigurableApplicationContext application = Samples.start(Application.class, policies, "samples.one",
				"samples.two")) {
			RabbitTemplate template = application.getBean(RabbitTemplate.class);
			ConnectionFactory routing = template.getConnectionFactory();
			for (String broker : List.of("one", "two")) {
				SimpleResourceHolder.bind(routing, broker);
				template.convertAndSend("samples." + broker, broker + " " + run);
				if (policies) {
					template.convertAndSend("samples." + broker, "fails once, " + broker + " " + run);
				}
				SimpleResourceHolder.unbind(routing);
			}
			int expected = policies ? 6 : 2;
			Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> Listeners.calls.size() >= expected);
			assertThat(Listeners.calls).contains("one " + run, "two " + run).hasSize(expected);
		}
	}

	@SpringBootConfiguration
	@Import(Listeners.class)
	@EnableAutoConfiguration(exclude = RabbitAutoConfiguration.class)
	static class Application {

		@Bean
		CachingConnectionFactory first() {
			return new CachingConnectionFactory(Broker.shared().amqpUri());
		}

		@Bean
		CachingConnectionFactory second() {
			return new CachingConnectionFactory(Broker.shared().amqpUri());
		}

		@Bean
		SimpleRoutingConnectionFactory routing(CachingConnectionFactory first, CachingConnectionFactory second) {
			SimpleRoutingConnectionFactory routing = new SimpleRoutingConnectionFactory();
			routing.setDefaultTargetConnectionFactory(first);
			routing.setTargetConnectionFactories(Map.of("one", first, "two", second));
			return routing;
		}

		@Bean("containersOfOne-admin")
		RabbitAdmin adminOfOne(CachingConnectionFactory first) {
			return new RabbitAdmin(first);
		}

		@Bean("containersOfTwo-admin")
		RabbitAdmin adminOfTwo(CachingConnectionFactory second) {
			return new RabbitAdmin(second);
		}

		@Bean
		RabbitTemplate template(SimpleRoutingConnectionFactory routing) {
			return new RabbitTemplate(routing);
		}

		@Bean
		SimpleRabbitListenerContainerFactory containersOfOne(CachingConnectionFactory first) {
			return containers(first);
		}

		@Bean
		SimpleRabbitListenerContainerFactory containersOfTwo(CachingConnectionFactory second) {
			return containers(second);
		}

		private static SimpleRabbitListenerContainerFactory containers(ConnectionFactory connectionFactory) {
			SimpleRabbitListenerContainerFactory factory = new SimpleRabbitListenerContainerFactory();
			factory.setConnectionFactory(connectionFactory);
			return factory;
		}

		@Bean
		static RabbitListenerEndpointRegistry listeners() {
			return new RabbitListenerEndpointRegistry();
		}

		@Bean
		static MultiRabbitListenerAnnotationBeanPostProcessor listenerMethods(
				RabbitListenerEndpointRegistry listeners) {
			MultiRabbitListenerAnnotationBeanPostProcessor processor = new MultiRabbitListenerAnnotationBeanPostProcessor();
			processor.setEndpointRegistry(listeners);
			processor.setContainerFactoryBeanName("containersOfOne");
			return processor;
		}

	}

	static class Listeners {

		static final Queue<String> calls = new ConcurrentLinkedQueue<>();

		@RabbitListener(queues = "samples.one", containerFactory = "containersOfOne")
		void handleOfOne(String message) {
			handle(message);
		}

		@RabbitListener(queues = "samples.two", containerFactory = "containersOfTwo")
		void handleOfTwo(String message) {
			handle(message);
		}

		private static void handle(String message) {
			boolean again = calls.contains(message);
			calls.add(message);
			if (message.startsWith("fails once") && !again) {
				throw new IllegalStateException("the first time");
			}
		}

	}

}
