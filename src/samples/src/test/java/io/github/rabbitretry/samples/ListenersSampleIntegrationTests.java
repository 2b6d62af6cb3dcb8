/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.samples;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.github.rabbitretry.explain.RetryExplainer;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.ContainerCustomizer;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.api.RabbitListenerErrorHandler;
import org.springframework.amqp.rabbit.test.RabbitListenerTest;
import org.springframework.amqp.rabbit.test.RabbitListenerTestHarness;
import org.springframework.amqp.rabbit.test.RabbitListenerTestHarness.InvocationData;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.messaging.handler.annotation.SendTo;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Listener methods of all kinds in one application, with the harness for tests of
 * listeners.
 */
@ParameterizedClass
@ValueSource(booleans = { false, true })
class ListenersSampleIntegrationTests {

	private static final String[] QUEUES = IntStream.rangeClosed(1, 8)
		.mapToObj((number) -> "samples.listener." + number)
		.toArray(String[]::new);

	private static @Nullable ConfigurableApplicationContext running;

	private final String run = UUID.randomUUID().toString();

	private final ConfigurableApplicationContext application = Objects.requireNonNull(running);

	private final RabbitTemplate template = this.application.getBean(RabbitTemplate.class);

	private final boolean policies;

	ListenersSampleIntegrationTests(boolean policies) {
		this.policies = policies;
	}

	@BeforeParameterizedClassInvocation
	static void start(boolean policies) {
		running = Samples.start(Application.class, policies, QUEUES);
	}

	@AfterParameterizedClassInvocation
	static void close() {
		Objects.requireNonNull(running).close();
	}

	@Test
	void whatIsOursIsThereWithPoliciesOnly() {
		assertThat(this.application.getBeanNamesForType(RetryExplainer.class)).hasSize(this.policies ? 1 : 0);
	}

	@Test
	void whatIsAskedIsAnswered() {
		for (int number : new int[] { 1, 2, 3 }) {
			assertThat(this.template.convertSendAndReceive("samples.listener." + number, this.run))
				.isEqualTo(number + this.run);
		}
		assertThat(this.template.convertSendAndReceive("samples.listener.4", this.run)).as("of an error handler")
			.isEqualTo("instead of " + this.run);
		awaitNothingLeft();
	}

	@Test
	void whatIsReturnedGoesWhereItIsSentTo() {
		this.template.convertAndSend("samples.listener.5", this.run);
		Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> Listeners.seen.contains("from 5: " + this.run));
	}

	@Test
	void batchesAreHandled() {
		for (int number = 0; number < 5; number++) {
			this.template.convertAndSend("samples.listener.7", number + this.run);
		}
		Awaitility.await()
			.atMost(Duration.ofSeconds(20))
			.until(() -> IntStream.range(0, 5).allMatch((number) -> Listeners.seen.contains(number + this.run)));
		awaitNothingLeft();
	}

	@Test
	void theHarnessSeesCallsAndTheirResults() throws InterruptedException {
		this.template.convertSendAndReceive("samples.listener.8", this.run);
		InvocationData call = this.application.getBean(RabbitListenerTestHarness.class)
			.getNextInvocationDataFor("watched", 10, TimeUnit.SECONDS);
		assertThat(Objects.requireNonNull(call).getArguments()).containsExactly(this.run);
		assertThat(call.getResult()).isEqualTo("8" + this.run);
	}

	@Test
	void aContainerCustomizerIsHonoured() {
		assertThat(this.application.getBean(RabbitListenerEndpointRegistry.class).getListenerContainers())
			.allSatisfy((container) -> assertThat(((AbstractMessageListenerContainer) container).getListenerId())
				.startsWith("customized"));
	}

	private void awaitNothingLeft() {
		Awaitility.await()
			.atMost(Duration.ofSeconds(20))
			.until(() -> List.of(QUEUES)
				.stream()
				.allMatch((queue) -> this.template.execute((channel) -> channel.messageCount(queue)) == 0));
	}

	@EnableAutoConfiguration
	@SpringBootConfiguration
	@Import(Listeners.class)
	@RabbitListenerTest(capture = true)
	static class Application {

		@Bean
		RabbitListenerErrorHandler answering() {
			return (message, channel, converted, exception) -> "instead of " + converted.getPayload();
		}

		@Bean
		ContainerCustomizer<SimpleMessageListenerContainer> customizer() {
			return (container) -> container.setListenerId("customized " + container.getListenerId());
		}

		@Bean
		SimpleRabbitListenerContainerFactory batches(ConnectionFactory connectionFactory,
				ContainerCustomizer<SimpleMessageListenerContainer> customizer) {
			SimpleRabbitListenerContainerFactory factory = new SimpleRabbitListenerContainerFactory();
			factory.setConnectionFactory(connectionFactory);
			factory.setContainerCustomizer(customizer);
			factory.setBatchListener(true);
			factory.setConsumerBatchEnabled(true);
			factory.setBatchSize(3);
			factory.setReceiveTimeout(200L);
			return factory;
		}

	}

	static class Listeners {

		static final Set<String> seen = ConcurrentHashMap.newKeySet();

		@RabbitListener(queues = "samples.listener.1")
		String answer(String question) {
			return "1" + question;
		}

		@RabbitListener(queues = "samples.listener.2")
		CompletableFuture<String> answerLater(String question) {
			return CompletableFuture.supplyAsync(() -> "2" + question);
		}

		@RabbitListener(queues = "samples.listener.3")
		Mono<String> answerByMono(String question) {
			return Mono.just("3" + question);
		}

		@RabbitListener(queues = "samples.listener.4", errorHandler = "answering")
		String fail(String question) {
			throw new IllegalStateException("no answer");
		}

		@RabbitListener(queues = "samples.listener.5")
		@SendTo("samples.listener.6")
		String forward(String message) {
			return "from 5: " + message;
		}

		@RabbitListener(queues = "samples.listener.6")
		void forwarded(String message) {
			seen.add(message);
		}

		@RabbitListener(queues = "samples.listener.7", containerFactory = "batches")
		void handleSeveral(List<String> messages) {
			seen.addAll(messages);
		}

		@RabbitListener(id = "watched", queues = "samples.listener.8")
		String watched(String message) {
			return "8" + message;
		}

	}

}
