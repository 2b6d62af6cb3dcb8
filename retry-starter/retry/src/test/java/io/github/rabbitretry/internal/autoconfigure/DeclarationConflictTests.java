/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.util.Map;

import org.junit.jupiter.api.Test;

import org.springframework.amqp.core.Declarables;
import org.springframework.amqp.core.DirectExchange;
import org.springframework.amqp.core.FanoutExchange;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.core.TopicExchange;
import org.springframework.amqp.rabbit.annotation.EnableRabbit;
import org.springframework.amqp.rabbit.annotation.Exchange;
import org.springframework.amqp.rabbit.annotation.QueueBinding;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application that declares a queue in another way than its message policy is told
 * where, before anything connects to a broker.
 */
class DeclarationConflictTests {

	private final ApplicationContextRunner application = StartReport.application()
		.withPropertyValues("rabbit-retry.topology.mode=declare", "queues.order=order",
				"rabbit-retry.message-policies.Order.queue=order");

	@Test
	void aQueueBeanIsNamedWithWhatDiffersAndARemedyThatWorks() {
		FailureAnalysis analysis = refused(this.application.withUserConfiguration(QueueBean.class));
		assertThat(analysis.getDescription())
			.startsWith("The application declares queues or exchanges in another way than its message policies do:")
			.contains("queue 'order': bean 'ordersQueue' of ", QueueBean.class.getName(),
					" declares it differently from message policy 'Order': ",
					"x-dead-letter-exchange not set instead of 'order.dlx'",
					"x-queue-type 'classic' instead of 'quorum'")
			.doesNotContain("durable");
		assertThat(analysis.getAction()).contains("Set rabbit-retry.message-policies.Order.work-queue to existing",
				"Or remove its declaration (bean 'ordersQueue' of ");
		this.application.withUserConfiguration(QueueBean.class)
			.withPropertyValues("rabbit-retry.message-policies.Order.work-queue=existing")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void theAnnotationOfAListenerIsNamed() {
		FailureAnalysis analysis = refused(this.application.withUserConfiguration(Annotated.class));
		assertThat(analysis.getDescription())
			.contains("queue 'order': @RabbitListener on " + Annotated.class.getName() + ".handle declares it");
		assertThat(analysis.getAction()).contains("work-queue to existing");
	}

	@Test
	void anAnnotationThatBindsTheQueueIsNamedForQueueAndExchange() {
		FailureAnalysis analysis = refused(this.application.withUserConfiguration(Bound.class)
			.withPropertyValues("rabbit-retry.message-policies.Order.exchange=orders"));
		assertThat(analysis.getDescription()).contains(
				"queue 'order': @RabbitListener on " + Bound.class.getName() + ".handle declares it",
				"exchange 'orders': @RabbitListener on " + Bound.class.getName() + ".handle declares it differently",
				"durable direct instead of durable topic");
		assertThat(analysis.getAction())
			.contains("Remove exchange and routing-keys from rabbit-retry.message-policies.Order");
	}

	@Test
	void aQueueAmongDeclarablesAndAnExchangeAreNamedByTheirBeans() {
		FailureAnalysis analysis = refused(this.application.withUserConfiguration(Several.class)
			.withPropertyValues("rabbit-retry.message-policies.Order.exchange=orders"));
		assertThat(analysis.getDescription()).contains("queue 'order.parking-lot': bean 'several'",
				"exchange 'orders': bean 'orders'");
		assertThat(analysis.getAction()).contains("rabbit-retry.message-policies.Order.names");
	}

	@Test
	void handMadeDeadLettersOfTheUsualNamesGetLinesToPaste() {
		ApplicationContextRunner runner = this.application.withUserConfiguration(HandMade.class);
		FailureAnalysis analysis = refused(runner);
		String[] lines = { "rabbit-retry.message-policies.Order.names.dead-letter-exchange: order.dlx.v2",
				"rabbit-retry.message-policies.Order.names.dead-letter-queue: order.dlq.v2" };
		assertThat(analysis.getAction().lines()).contains(lines);
		assertThat(analysis.getAction()).startsWith("If they are another's, have Rabbit Retry use other names:")
			.contains("rabbit-retry.ledger.adopt", "delete the queue on the broker once it is empty")
			.doesNotContain("routing-keys");
		runner.withPropertyValues(lines).run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void whatIsDeclaredAlikeAndWhatIsNotAPolicysIsNoConflict() {
		this.application.withUserConfiguration(Alike.class)
			.withPropertyValues("rabbit-retry.message-policies.Order.exchange=orders")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void nothingIsComparedIfTheTopologyIsSomebodyElses() {
		this.application.withUserConfiguration(QueueBean.class)
			.withPropertyValues("rabbit-retry.topology.mode=none")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	private static FailureAnalysis refused(ApplicationContextRunner application) {
		FailureAnalysis[] analysis = new FailureAnalysis[1];
		application.run((context) -> {
			assertThat(context).hasFailed();
			analysis[0] = StartReport.explain(context.getStartupFailure());
		});
		return analysis[0];
	}

	@Configuration(proxyBeanMethods = false)
	static class QueueBean {

		@Bean
		Queue ordersQueue() {
			return new Queue("order", true, false, false, Map.of("x-queue-type", "classic"));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableRabbit
	static class Annotated {

		@RabbitListener(queuesToDeclare = @org.springframework.amqp.rabbit.annotation.Queue(name = "${queues.order}"))
		void handle(String order) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableRabbit
	static class Bound {

		@RabbitListener(
				bindings = @QueueBinding(value = @org.springframework.amqp.rabbit.annotation.Queue("${queues.order}"),
						exchange = @Exchange("orders"), key = "order"))
		void handle(String order) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class HandMade {

		@Bean
		FanoutExchange deadLetterExchange() {
			return new FanoutExchange("order.dlx");
		}

		@Bean
		Queue deadLetterQueue() {
			return new Queue("order.dlq", true, false, false, Map.of("x-queue-type", "classic"));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Several {

		@Bean
		Declarables several() {
			return new Declarables(new Queue("order.parking-lot"), new Queue("another"));
		}

		@Bean
		DirectExchange orders() {
			return new DirectExchange("orders");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Alike {

		@Bean
		TopicExchange orders() {
			return new TopicExchange("orders");
		}

		@Bean
		Queue order() {
			return new Queue("order", true, false, false,
					Map.of("x-queue-type", "quorum", "x-overflow", "reject-publish", "x-dead-letter-exchange",
							"order.dlx", "x-dead-letter-routing-key", "order.dlq", "x-dead-letter-strategy",
							"at-least-once", "x-delivery-limit", 5L));
		}

		@Bean
		Queue another() {
			return new Queue("another");
		}

	}

}
