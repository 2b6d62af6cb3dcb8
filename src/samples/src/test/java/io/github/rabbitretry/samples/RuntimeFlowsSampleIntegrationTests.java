/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.samples;

import java.time.Duration;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.integration.amqp.dsl.Amqp;
import org.springframework.integration.config.EnableIntegration;
import org.springframework.integration.dsl.IntegrationFlow;
import org.springframework.integration.dsl.context.IntegrationFlowContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Flows of Spring Integration that are registered in a running application.
 */
@ExtendWith(OutputCaptureExtension.class)
class RuntimeFlowsSampleIntegrationTests {

	private static final String QUEUE = "samples.flow";

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void aFlowIsCoveredWhenItIsRegistered(boolean policies) {
		Queue<String> calls = new ConcurrentLinkedQueue<>();
		String run = UUID.randomUUID().toString();
		try (ConfigurableApplicationContext application = Samples.start(Application.class, policies, QUEUE)) {
			IntegrationFlow flow = IntegrationFlow
				.from(Amqp.inboundAdapter(application.getBean(ConnectionFactory.class), QUEUE))
				.handle(String.class, (payload, headers) -> {
					calls.add(payload);
					if (policies && calls.size() < 2) {
						throw new IllegalStateException("the first time");
					}
					return null;
				})
				.get();
			application.getBean(IntegrationFlowContext.class).registration(flow).register();
			application.getBean(RabbitTemplate.class).convertAndSend(QUEUE, run);
			Awaitility.await()
				.atMost(Duration.ofSeconds(20))
				.untilAsserted(() -> assertThat(calls).hasSize(policies ? 2 : 1).containsOnly(run));
		}
	}

	@Test
	void aContainerThatStartsBeforeItCouldBeCoveredIsStopped(CapturedOutput output) {
		try (ConfigurableApplicationContext application = Samples.start(Application.class, true, QUEUE)) {
			((GenericApplicationContext) application).registerBean("late", SimpleMessageListenerContainer.class,
					() -> new SimpleMessageListenerContainer(application.getBean(ConnectionFactory.class)),
					(definition) -> definition.getPropertyValues().add("queueNames", QUEUE).add("autoStartup", false));
			SimpleMessageListenerContainer container = application.getBean("late",
					SimpleMessageListenerContainer.class);
			container.setMessageListener((message) -> {
			});
			container.start();
			Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> !container.isRunning());
			assertThat(output).contains("The container is stopped. Listener 'container bean late' on queue '" + QUEUE)
				.contains("it was started before it could be taken over");
		}
	}

	@EnableIntegration
	@EnableAutoConfiguration
	@SpringBootConfiguration
	static class Application {

	}

}
