/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

import com.rabbitmq.client.GetResponse;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.listener.ListenerContainerConsumerFailedEvent;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Listeners that are declared to return anything, and return a result that is there
 * later.
 */
class ReturnedFuturesIntegrationTests {

	private static final List<String> QUEUES = List.of("returned.object", "returned.future", "returned.declared");

	private final TestBroker broker = TestBroker.connect();

	private @Nullable ConfigurableApplicationContext application;

	@AfterEach
	void stop() {
		if (this.application != null) {
			this.application.close();
		}
		QUEUES.forEach(this.broker::deleteAll);
		this.broker.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "simple", "direct" })
	void areAcknowledgedOnceAndWhenTheirResultIsThere(String type) {
		start(type);
		for (String body : List.of("future", "mono", "empty", "nothing")) {
			this.broker.sendJson("returned.object", body, Map.of(), body);
		}
		this.broker.sendJson("returned.future", "task", Map.of(), "task");
		Awaitility.await()
			.untilAsserted(
					() -> assertThat(Application.done).containsExactlyInAnyOrder("future", "mono", "empty", "task"));
		this.broker.sendJson("returned.object", "next", Map.of(), "nothing");
		Awaitility.await().until(() -> Application.handled.contains("next"));
		assertThat(Application.failed).isEmpty();
		close();
		assertThat(Application.handled).containsExactlyInAnyOrder("future", "mono", "empty", "nothing", "task", "next");
		QUEUES.forEach((queue) -> {
			assertThat(this.broker.ready(queue)).isZero();
			assertThat(this.broker.ready(queue + ".parking-lot")).isZero();
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "simple", "direct" })
	void areRetriedAndParkedWhenTheirResultIsAFailure(String type) {
		start(type);
		for (String body : List.of("failing future", "failing mono")) {
			this.broker.sendJson("returned.object", body, Map.of(), body);
		}
		this.broker.sendJson("returned.future", "failing task", Map.of(), "failing task");
		List<GetResponse> parked = List.of(this.broker.take("returned.object.parking-lot"),
				this.broker.take("returned.object.parking-lot"), this.broker.take("returned.future.parking-lot"));
		assertThat(parked).map(TestBroker::text)
			.allSatisfy(
					(headers) -> assertThat(headers).containsEntry("x-app-exception", "java.lang.IllegalStateException")
						.containsEntry("x-app-retry-attempt", "1"));
		assertThat(parked).map((message) -> message.getProps().getMessageId())
			.containsExactlyInAnyOrder("failing future", "failing mono", "failing task");
		assertThat(Application.failed).isEmpty();
		close();
		assertThat(Application.handled).containsExactlyInAnyOrder("failing future", "failing future", "failing mono",
				"failing mono", "failing task", "failing task");
		QUEUES.forEach((queue) -> assertThat(this.broker.ready(queue)).isZero());
	}

	@ParameterizedTest
	@ValueSource(strings = { "simple", "direct" })
	void giveTheirMessageBackWhenTheirContainerStopsAndTheResultDoesNotCome(String type) {
		start(type);
		this.broker.sendJson("returned.object", "never", Map.of(), "never");
		Awaitility.await().until(() -> Application.handled.contains("never"));
		close();
		assertThat(this.broker.take("returned.object").getProps().getMessageId()).isEqualTo("never");
		Awaitility.await()
			.untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
				.noneMatch((thread) -> thread.getName().startsWith("returning-")));
	}

	@ParameterizedTest
	@ValueSource(strings = { "simple", "direct" })
	void giveTheirMessageBackIfTheyAreDeclaredToReturnWhatDoesNotCome(String type) {
		start(type);
		this.broker.sendJson("returned.declared", "never", Map.of(), "never");
		Awaitility.await().until(() -> Application.handled.contains("declared"));
		close();
		assertThat(this.broker.take("returned.declared").getProps().getMessageId()).isEqualTo("never");
	}

	private void start(String type) {
		Application.handled.clear();
		Application.done.clear();
		Application.failed.clear();
		this.application = TestApplication.start(Application.class, "spring.rabbitmq.listener.type=" + type,
				"rabbit-retry.shutdown-timeout=3s", "rabbit-retry.defaults.retry-backoff=fixed",
				"rabbit-retry.defaults.initial-delay=200ms", "rabbit-retry.defaults.broker-attempts=1",
				"rabbit-retry.defaults.local-attempts=1", "rabbit-retry.message-policies.Object.queue=returned.object",
				"rabbit-retry.message-policies.Future.queue=returned.future",
				"rabbit-retry.message-policies.Declared.queue=returned.declared");
	}

	private void close() {
		assertThat(this.application).isNotNull();
		this.application.close();
		this.application = null;
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		static final List<String> handled = new CopyOnWriteArrayList<>();

		static final List<String> done = new CopyOnWriteArrayList<>();

		static final List<String> failed = new CopyOnWriteArrayList<>();

		private static final Executor later = CompletableFuture.delayedExecutor(200, TimeUnit.MILLISECONDS);

		@RabbitListener(id = "returning", queues = "returned.object")
		@Nullable Object object(String body, Message message) {
			handled.add(message.getMessageProperties().getMessageId());
			return switch (body) {
				case "future" -> CompletableFuture.runAsync(() -> done.add(body), later);
				case "failing future" -> CompletableFuture.runAsync(Application::fail, later);
				case "mono" -> Mono.delay(Duration.ofMillis(200)).doOnNext((tick) -> done.add(body)).then();
				case "failing mono" -> Mono.delay(Duration.ofMillis(200)).doOnNext((tick) -> fail());
				case "empty" -> Mono.fromRunnable(() -> done.add(body));
				case "never" -> new CompletableFuture<>();
				default -> null;
			};
		}

		@RabbitListener(queues = "returned.declared")
		CompletableFuture<String> declared(String body) {
			handled.add("declared");
			return new CompletableFuture<>();
		}

		@RabbitListener(queues = "returned.future")
		Future<?> future(String body) {
			handled.add(body);
			FutureTask<@Nullable Object> task = new FutureTask<>(() -> {
				if (body.startsWith("failing")) {
					fail();
				}
				done.add(body);
				return null;
			});
			later.execute(task);
			return task;
		}

		private static void fail() {
			throw new IllegalStateException("no");
		}

		@EventListener
		void failed(ListenerContainerConsumerFailedEvent event) {
			failed.add(event.getReason());
		}

	}

}
