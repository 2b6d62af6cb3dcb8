/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.util.List;

import io.github.rabbitretry.internal.container.UnsupportedListenerException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.RetryInterceptorBuilder;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.retry.MessageRecoverer;
import org.springframework.amqp.rabbit.retry.RejectAndDontRequeueRecoverer;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Listeners that an application forgot when it gave others message policies.
 */
@ExtendWith(OutputCaptureExtension.class)
class ListenersWithoutPolicyIntegrationTests {

	private static final String FOR_EVER = " has no message policy: RabbitMQ redelivers what it fails with at once and for ever";

	private final TestBroker broker = TestBroker.connect();

	@AfterEach
	void close() {
		List.of("left.invoices", "left.reminders", "left.quotes", "left.retried", "left.rejected")
			.forEach(this.broker::deleteAll);
		this.broker.close();
	}

	@Test
	void oneThatWouldSpinIsWarnedOfAndARecovererThatIsNotCalled(CapturedOutput output) {
		try (ConfigurableApplicationContext application = TestApplication.start(Application.class,
				"rabbit-retry.message-policies.Invoice.queue=left.invoices")) {
			assertThat(application.isRunning()).isTrue();
			assertThat(output).contains("Listener 'Application#reminder' on queue 'left.reminders'" + FOR_EVER)
				.contains("Listener 'Application#quote' on queue 'left.quotes'" + FOR_EVER)
				.contains(
						"MessageRecoverer bean 'recoverer' is not called for queues with a message policy: what fails there is parked, in [left.invoices.parking-lot]")
				.contains(
						"Listener 'Application#rejected' on queue 'left.rejected' has no message policy: what it fails with is rejected")
				.doesNotContain("'Application#rejected' on queue 'left.rejected'" + FOR_EVER)
				.doesNotContain("Listener 'Application#retried'")
				.doesNotContain("Listener 'Application#invoice'");
		}
	}

	@Test
	void theErrorAboutASecondRetryNamesThoseThatLoseIt() {
		assertThatThrownBy(() -> TestApplication.start(Application.class,
				"rabbit-retry.message-policies.Invoice.queue=left.invoices",
				"spring.rabbitmq.listener.simple.retry.enabled=true"))
			.isInstanceOfSatisfying(UnsupportedListenerException.class, (ex) -> {
				assertThat(ex.problem()).startsWith("Listener 'Application#invoice' on queue 'left.invoices'");
				assertThat(ex.remedy()).contains("'Application#reminder' on queue 'left.reminders'")
					.contains("'Application#quote' on queue 'left.quotes'");
			});
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		static MessageRecoverer recoverer() {
			return new RejectAndDontRequeueRecoverer();
		}

		@Bean
		static SimpleRabbitListenerContainerFactory retrying(ConnectionFactory connectionFactory) {
			SimpleRabbitListenerContainerFactory factory = new SimpleRabbitListenerContainerFactory();
			factory.setConnectionFactory(connectionFactory);
			factory.setAdviceChain(RetryInterceptorBuilder.stateless().build());
			return factory;
		}

		@Bean
		static SimpleRabbitListenerContainerFactory rejecting(ConnectionFactory connectionFactory) {
			SimpleRabbitListenerContainerFactory factory = new SimpleRabbitListenerContainerFactory();
			factory.setConnectionFactory(connectionFactory);
			factory.setDefaultRequeueRejected(false);
			return factory;
		}

		@RabbitListener(queues = "left.invoices")
		void invoice(Message message) {
			// nothing arrives
		}

		@RabbitListener(queuesToDeclare = @org.springframework.amqp.rabbit.annotation.Queue("left.reminders"))
		void reminder(Message message) {
			// nothing arrives
		}

		@RabbitListener(queues = "left.quotes")
		void quote(Message message) {
			// nothing arrives
		}

		@RabbitListener(queues = "left.retried", containerFactory = "retrying")
		void retried(Message message) {
			// nothing arrives
		}

		@RabbitListener(queues = "left.rejected", containerFactory = "rejecting")
		void rejected(Message message) {
			// nothing arrives
		}

		@Bean
		static Queue quotes() {
			return new Queue("left.quotes");
		}

		@Bean
		static Queue retriedQueue() {
			return new Queue("left.retried");
		}

		@Bean
		static Queue rejectedQueue() {
			return new Queue("left.rejected");
		}

	}

}
