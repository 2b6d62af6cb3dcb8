/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.binder;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.internal.container.UnsupportedListenerException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.rabbit.listener.MessageListenerContainer;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.cloud.stream.config.ListenerContainerCustomizer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Containers of Spring Cloud Stream's binder, which no message policy applies to.
 */
@ExtendWith(OutputCaptureExtension.class)
class BinderContainersIntegrationTests {

	private static final String[] EXISTING = { "rabbit-retry.message-policies.Order.queue=binder.order.workers",
			"rabbit-retry.message-policies.Order.work-queue=existing" };

	@BeforeEach
	void forget() {
		Application.handled.clear();
		Application.customized.clear();
	}

	@Test
	void withoutAPolicyForItsQueueABindingConsumes() {
		try (ConfigurableApplicationContext application = start(
				"rabbit-retry.message-policies.Other.queue=binder.other")) {
			application.getBean(RabbitTemplate.class).convertAndSend("binder.order", "binder.order", "m-1");
			Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> Application.handled.contains("m-1"));
			assertThat(Application.customized).contains("binder.order.workers");
		}
	}

	@Test
	void aBindingOfAQueueWithAPolicyFailsStartupAndConsumesNothing(CapturedOutput output) {
		// makes the queue
		start("rabbit-retry.message-policies.Other.queue=binder.other").close();
		assertRefused(output, EXISTING);
	}

	@Test
	void soItDoesWhereTheBinderDoesNotTryAgain(CapturedOutput output) {
		start("rabbit-retry.message-policies.Other.queue=binder.other").close();
		assertRefused(output,
				Stream.concat(Stream.of(EXISTING), Stream.of("spring.cloud.stream.binding-retry-interval=0"))
					.toArray(String[]::new));
	}

	@Test
	void soItDoesWhereTheBinderHasABrokerOfItsOwn(CapturedOutput output) {
		start("rabbit-retry.message-policies.Other.queue=binder.other").close();
		Broker broker = Broker.shared();
		String own = "spring.cloud.stream.binders.own.";
		assertRefused(output,
				Stream.concat(Stream.of(EXISTING),
						Stream.of(own + "type=rabbit",
								own + "environment.spring.rabbitmq.addresses=" + broker.amqpUri(),
								"spring.cloud.stream.default-binder=own"))
					.toArray(String[]::new));
	}

	@Test
	void soItDoesWhereThePolicyDeclaresTheQueue(CapturedOutput output) {
		assertRefused(output, "rabbit-retry.message-policies.Order.queue=workers",
				"spring.cloud.stream.rabbit.bindings.handle-in-0.consumer.queue-name-group-only=true",
				"spring.cloud.stream.rabbit.bindings.handle-in-0.consumer.bind-queue=false",
				"spring.cloud.stream.rabbit.bindings.handle-in-0.consumer.container-type=direct");
	}

	@Test
	void soItDoesWhereItIsPolled() {
		assertThatException()
			.isThrownBy(() -> start("spring.cloud.function.definition=", "spring.cloud.stream.pollable-source=poll",
					"spring.cloud.stream.bindings.poll-in-0.destination=binder.polled",
					"spring.cloud.stream.bindings.poll-in-0.group=workers",
					"spring.cloud.stream.rabbit.bindings.poll-in-0.consumer.queue-name-group-only=true",
					"spring.cloud.stream.rabbit.bindings.poll-in-0.consumer.bind-queue=false",
					"rabbit-retry.message-policies.Order.queue=workers")
				.close())
			.havingRootCause()
			.isInstanceOf(UnsupportedListenerException.class)
			.withMessageContaining("poll-in-0");
	}

	private static void assertRefused(CapturedOutput output, String... properties) {
		assertThatException().isThrownBy(() -> start(properties).close())
			.havingRootCause()
			.isInstanceOf(UnsupportedListenerException.class);
		assertThat(output).contains("APPLICATION FAILED TO START")
			.containsPattern(
					"Listener 'binding handle-in-0' on queue '(binder.order.)?workers' can't be retried safely: "
							+ "its container is Spring Cloud Stream's, to which message policy 'Order' can't apply")
			.contains("@RabbitListener method instead of the binding, or remove message policy 'Order'");
		assertThat(Application.handled).isEmpty();
	}

	private static ConfigurableApplicationContext start(String... properties) {
		Broker broker = Broker.shared();
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.properties("spring.rabbitmq.addresses=" + broker.amqpUri(), "spring.cloud.function.definition=handle",
					"spring.cloud.stream.bindings.handle-in-0.destination=binder.order",
					"spring.cloud.stream.bindings.handle-in-0.group=workers")
			.properties(List.of(properties).toArray(String[]::new))
			.run();
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		static final Queue<String> handled = new ConcurrentLinkedQueue<>();

		static final Queue<String> customized = new ConcurrentLinkedQueue<>();

		@Bean
		Consumer<String> handle() {
			return handled::add;
		}

		@Bean
		ListenerContainerCustomizer<MessageListenerContainer> applicationsOwn() {
			return (container, queue, group) -> customized.add(queue);
		}

	}

}
