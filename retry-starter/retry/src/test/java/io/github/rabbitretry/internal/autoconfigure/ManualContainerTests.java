/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.amqp.core.AcknowledgeMode;
import org.springframework.amqp.core.BatchMessageListener;
import org.springframework.amqp.core.MessageListener;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.AsyncConsumerStartedEvent;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.adapter.MessageListenerAdapter;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Containers that are beans of the application: what they may be.
 */
class ManualContainerTests {

	private static final MessageListener LISTENER = (message) -> {
	};

	private final ApplicationContextRunner application = StartReport.application()
		.withPropertyValues("rabbit-retry.message-policies.Order.queue=order");

	@ParameterizedTest
	@MethodSource
	void oneThatCannotBeCoveredStopsTheStart(Consumer<SimpleMessageListenerContainer> configuration, String problem,
			String remedy) {
		with("order", configuration).run((context) -> {
			assertThat(context).hasFailed();
			FailureAnalysis analysis = StartReport.explain(context.getStartupFailure());
			assertThat(analysis.getDescription())
				.startsWith("Listener 'container bean handmade' on queue 'order' can't be retried safely: ")
				.contains(problem)
				.endsWith(".");
			assertThat(analysis.getAction()).contains(remedy).endsWith(".");
		});
	}

	static Stream<Arguments> oneThatCannotBeCoveredStopsTheStart() {
		return Stream.of(
				arguments((container) -> container.setAcknowledgeMode(AcknowledgeMode.MANUAL),
						"its acknowledge mode is MANUAL", "acknowledge-mode"),
				arguments((container) -> container.setExposeListenerChannel(false),
						"its exposeListenerChannel is false", "Remove exposeListenerChannel"),
				arguments((container) -> container.setChannelTransacted(true), "its channel is transacted",
						"Remove channelTransacted"),
				arguments((container) -> {
					container.setMessageListener(new MessageListenerAdapter(new Delegate(), "future"));
					container.afterPropertiesSet();
				}, "its MessageListenerAdapter calls Delegate#future, whose return type CompletableFuture may be a future",
						"make it a @RabbitListener"),
				arguments(
						(container) -> container
							.setMessageListener(new MessageListenerAdapter(new Delegate(), "object")),
						"its MessageListenerAdapter calls Delegate#object, whose return type Object may be a future",
						"return void or the type of its result"),
				arguments((container) -> {
					MessageListenerAdapter adapter = new MessageListenerAdapter(new Delegate(), "text");
					adapter.addQueueOrTagToMethodName("order", "future");
					container.setMessageListener(adapter);
				}, "its MessageListenerAdapter calls Delegate#future", "return void or the type of its result"));
	}

	private static Arguments arguments(Consumer<SimpleMessageListenerContainer> configuration, String problem,
			String remedy) {
		return Arguments.of(configuration, problem, remedy);
	}

	@Test
	void oneOfBatchesIsCovered() {
		with("order", (container) -> {
			container.setConsumerBatchEnabled(true);
			container.setMessageListener((BatchMessageListener) (messages) -> {
			});
		}).run((context) -> assertThat(context.getBean(SimpleMessageListenerContainer.class).getAcknowledgeMode())
			.isEqualTo(AcknowledgeMode.MANUAL));
	}

	@Test
	void oneThatWasInitializedAlreadyIsCovered() {
		with("order", SimpleMessageListenerContainer::afterPropertiesSet)
			.run((context) -> assertThat(context.getBean(SimpleMessageListenerContainer.class).getAcknowledgeMode())
				.isEqualTo(AcknowledgeMode.MANUAL));
	}

	@Test
	void anAdapterThatReturnsItsResultIsCovered() {
		with("order", (container) -> container.setMessageListener(new MessageListenerAdapter(new Delegate(), "text")))
			.run((context) -> assertThat(context.getBean(SimpleMessageListenerContainer.class).getAcknowledgeMode())
				.isEqualTo(AcknowledgeMode.MANUAL));
	}

	@Test
	void oneThatWasStartedByHandStopsTheStart() {
		this.application.withBean("handmade", AbstractMessageListenerContainer.class, () -> {
			AbstractMessageListenerContainer container = withoutListener();
			container.setMessageListener(LISTENER);
			container.start();
			return container;
		})
			.run((context) -> assertThat(StartReport.explain(context.getStartupFailure()).getDescription())
				.contains("it was started before it could be taken over"));
	}

	@Test
	void lateOnesThatRunWithoutTheirPolicyAreAllStoppedWhicheverConsumesFirst() {
		this.application.run((context) -> {
			AbstractMessageListenerContainer first = late(context, "first");
			AbstractMessageListenerContainer second = late(context, "second");
			start(first);
			start(second);
			context.publishEvent(new AsyncConsumerStartedEvent(second, "consumer"));
			Awaitility.await().until(() -> !first.isRunning() && !second.isRunning());
			first.start();
			context.publishEvent(new AsyncConsumerStartedEvent(first, "consumer"));
			Awaitility.await().until(() -> !first.isRunning());
		});
	}

	@Test
	void aLateOneThatIsRefusedDoesNotFailAnotherBeanAndIsStoppedOnceItIsStarted() {
		this.application.run((context) -> {
			AbstractMessageListenerContainer late = late(context, "late");
			late.setAcknowledgeMode(AcknowledgeMode.MANUAL);
			late.setMessageListener(LISTENER);
			context.getAutowireCapableBeanFactory().initializeBean(new Delegate(), "another");
			start(late);
			context.publishEvent(new AsyncConsumerStartedEvent(late, "consumer"));
			Awaitility.await().until(() -> !late.isRunning());
		});
	}

	private static AbstractMessageListenerContainer late(ApplicationContext context, String name) {
		AbstractMessageListenerContainer container = withoutListener();
		context.getAutowireCapableBeanFactory().initializeBean(container, name);
		return container;
	}

	private static void start(AbstractMessageListenerContainer container) {
		container.setMessageListener(LISTENER);
		container.start();
		assertThat(container.isRunning()).isTrue();
	}

	private static AbstractMessageListenerContainer withoutListener() {
		AbstractMessageListenerContainer container = new NoContainer();
		container.setConnectionFactory(new CachingConnectionFactory("127.0.0.1", 1));
		container.setQueueNames("order");
		return container;
	}

	@Test
	void oneOfAnotherQueueIsLeftAsItIs() {
		with("other", (container) -> container.setMessageListener(new MessageListenerAdapter(new Delegate(), "future")))
			.run((context) -> {
				SimpleMessageListenerContainer container = context.getBean(SimpleMessageListenerContainer.class);
				assertThat(container.getAcknowledgeMode()).isEqualTo(AcknowledgeMode.AUTO);
				assertThat(ManagedListenerTests.advices(container)).isEmpty();
			});
	}

	private ApplicationContextRunner with(String queue, Consumer<SimpleMessageListenerContainer> configuration) {
		return this.application.withBean("handmade", SimpleMessageListenerContainer.class, () -> {
			SimpleMessageListenerContainer container = new SimpleMessageListenerContainer(
					new CachingConnectionFactory("127.0.0.1", 1));
			container.setQueueNames(queue);
			container.setMessageListener(LISTENER);
			container.setAutoStartup(false);
			configuration.accept(container);
			return container;
		});
	}

	static class NoContainer extends AbstractMessageListenerContainer {

		@Override
		protected void doInitialize() {
		}

		@Override
		protected void shutdownAndWaitOrCallback(@Nullable Runnable callback) {
			if (callback != null) {
				callback.run();
			}
		}

	}

	static class Delegate {

		public CompletableFuture<String> future(Object body) {
			return new CompletableFuture<>();
		}

		public @Nullable Object object(Object body) {
			return null;
		}

		public String text(Object body) {
			return "";
		}

	}

}
