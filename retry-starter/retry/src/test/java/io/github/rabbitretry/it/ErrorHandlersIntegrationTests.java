/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.amqp.AmqpRejectAndDontRequeueException;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.listener.ConditionalRejectingErrorHandler;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the error handler of a container factory takes for fatal.
 */
class ErrorHandlersIntegrationTests {

	private static final List<String> QUEUES = List.of("fatal.strategy", "fatal.own", "fatal.handler",
			"fatal.decorated");

	private final TestBroker broker = TestBroker.connect();

	@AfterEach
	void close() {
		QUEUES.forEach(this.broker::deleteAll);
		this.broker.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "fatal.strategy", "fatal.own", "fatal.handler" })
	void whatAnErrorHandlerTakesForFatalIsParkedAtOnce(String queue) {
		Application.handled.clear();
		try (ConfigurableApplicationContext application = start()) {
			assertThat(application.isRunning()).isTrue();
			this.broker.sendJson(queue, "fatal", Map.of(), "{}");
			assertThat(TestBroker.text(this.broker.take(queue + ".parking-lot")))
				.containsEntry("x-app-retry-reason", "REJECTED")
				.containsEntry("x-app-root-exception", IllegalArgumentException.class.getName());
			assertThat(Application.handled).containsExactly("fatal");
			this.broker.sendJson(queue, "other", Map.of(), "{}");
			assertThat(TestBroker.text(this.broker.take(queue + ".parking-lot"))).containsEntry("x-app-retry-reason",
					"RETRY_BUDGET_EXHAUSTED");
			Awaitility.await().untilAsserted(() -> assertThat(Application.handled).hasSize(5));
		}
	}

	@Test
	void aFailureThatIsFatalToSpringsHandlerParksAMessageThatHasWaited() {
		Application.handled.clear();
		try (ConfigurableApplicationContext application = start()) {
			assertThat(application.isRunning()).isTrue();
			this.broker.sendJson("fatal.decorated", "waits", Map.of(), "{}");
			assertThat(TestBroker.text(this.broker.take("fatal.decorated.parking-lot")))
				.containsEntry("x-app-retry-attempt", "1")
				.containsEntry("x-app-root-exception", ClassCastException.class.getName());
			assertThat(Application.handled).containsExactly("waits", "waits");
		}
	}

	private static ConfigurableApplicationContext start() {
		return TestApplication.start(Application.class, "rabbit-retry.defaults.retry-backoff=fixed",
				"rabbit-retry.defaults.initial-delay=100ms", "rabbit-retry.defaults.broker-attempts=1",
				"rabbit-retry.defaults.local-attempts=2", "rabbit-retry.defaults.local-delay=10ms",
				"rabbit-retry.message-policies.Strategy.queue=fatal.strategy",
				"rabbit-retry.message-policies.Own.queue=fatal.own",
				"rabbit-retry.message-policies.Handler.queue=fatal.handler",
				"rabbit-retry.message-policies.Decorated.queue=fatal.decorated",
				"rabbit-retry.message-policies.Decorated.local-attempts=1");
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		static final List<String> handled = new CopyOnWriteArrayList<>();

		@Bean
		static SimpleRabbitListenerContainerFactory strategy(ConnectionFactory connectionFactory) {
			SimpleRabbitListenerContainerFactory factory = new SimpleRabbitListenerContainerFactory();
			factory.setConnectionFactory(connectionFactory);
			factory.setErrorHandler(new ConditionalRejectingErrorHandler(
					new ConditionalRejectingErrorHandler.DefaultExceptionStrategy() {

						@Override
						protected boolean isUserCauseFatal(Throwable cause) {
							return cause instanceof IllegalArgumentException;
						}

					}));
			return factory;
		}

		@Bean
		static SimpleRabbitListenerContainerFactory own(ConnectionFactory connectionFactory) {
			SimpleRabbitListenerContainerFactory factory = new SimpleRabbitListenerContainerFactory();
			factory.setConnectionFactory(connectionFactory);
			factory.setErrorHandler(new ConditionalRejectingErrorHandler(
					(failure) -> failure.getCause() instanceof IllegalArgumentException));
			return factory;
		}

		@Bean
		static SimpleRabbitListenerContainerFactory handler(ConnectionFactory connectionFactory) {
			SimpleRabbitListenerContainerFactory factory = new SimpleRabbitListenerContainerFactory();
			factory.setConnectionFactory(connectionFactory);
			factory.setErrorHandler((failure) -> {
				if (failure.getCause() instanceof IllegalArgumentException) {
					throw new AmqpRejectAndDontRequeueException("fatal", failure);
				}
			});
			return factory;
		}

		@Bean
		static SimpleRabbitListenerContainerFactory decorated(ConnectionFactory connectionFactory) {
			SimpleRabbitListenerContainerFactory factory = new SimpleRabbitListenerContainerFactory();
			factory.setConnectionFactory(connectionFactory);
			ConditionalRejectingErrorHandler ofSpring = new ConditionalRejectingErrorHandler();
			factory.setErrorHandler((failure) -> ofSpring.handleError(failure));
			return factory;
		}

		@RabbitListener(queues = "fatal.decorated", containerFactory = "decorated")
		void decorated(Message message) {
			handled.add(message.getMessageProperties().getMessageId());
			throw (handled.size() == 1) ? new UnsupportedOperationException("at first")
					: new ClassCastException("then");
		}

		@RabbitListener(queues = "fatal.strategy", containerFactory = "strategy")
		void strategy(Message message) {
			handle(message);
		}

		@RabbitListener(queues = "fatal.own", containerFactory = "own")
		void own(Message message) {
			handle(message);
		}

		@RabbitListener(queues = "fatal.handler", containerFactory = "handler")
		void handler(Message message) {
			handle(message);
		}

		private static void handle(Message message) {
			String id = message.getMessageProperties().getMessageId();
			handled.add(id);
			throw id.equals("fatal") ? new IllegalArgumentException("no") : new UnsupportedOperationException("no");
		}

	}

}
