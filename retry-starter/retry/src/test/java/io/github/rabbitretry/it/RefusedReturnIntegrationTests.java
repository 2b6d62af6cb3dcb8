/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.rabbitretry.broker.Broker;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Retries that come back while their work queue refuses messages: RabbitMQ looks now and
 * then for those that it tried so long ago, so they may be late by twice that time. The
 * docs promise six minutes.
 */
class RefusedReturnIntegrationTests {

	private static final String QUEUE = "refusing.order";

	private static final Duration PROMISED = Duration.ofMinutes(6);

	private static final Duration SHORTENED = Duration.ofSeconds(10);

	private static final int MESSAGES = 20;

	private final Broker rabbit = Broker.start();

	private TestBroker broker;

	@BeforeEach
	void shorten() {
		assumeTrue(this.rabbit.canControl(), "a broker that is only named can't be configured");
		this.broker = TestBroker.connect(this.rabbit);
		Application.handled.clear();
		String setting = "rabbit, dead_letter_worker_publisher_confirm_timeout";
		assertThat(this.rabbit.ctl("-q", "eval", "application:get_env(%s).".formatted(setting)))
			.as("half of what is promised")
			.contains("{ok,%s}".formatted(PROMISED.dividedBy(2).toMillis()));
		this.rabbit.ctl("eval", "application:set_env(%s, %s).".formatted(setting, SHORTENED.toMillis()));
	}

	@AfterEach
	void stop() {
		this.broker.close();
		this.rabbit.close();
	}

	@Test
	void isMadeUpForWithinTheTimeThatTheDocsPromise() throws Exception {
		try (ConfigurableApplicationContext application = start()) {
			Stream.of(failed()).forEach(this::send);
			Awaitility.await().until(() -> this.broker.ready(QUEUE + ".retry.5s") == MESSAGES);
			assertThat(application.isRunning()).isTrue();
		}
		IntStream.range(0, 3).forEach((number) -> send("before " + number));
		this.rabbit.ctl("set_policy", "full", "^refusing\\.order$",
				"{\"max-length\":1,\"overflow\":\"reject-publish\"}", "--apply-to", "queues");
		Awaitility.await().until(() -> {
			this.broker.channel().basicPublish("", QUEUE, TestBroker.json("refused").build(), new byte[0]);
			return !this.broker.channel().waitForConfirms(10_000);
		});
		long work = this.broker.ready(QUEUE);
		Awaitility.await().until(() -> this.broker.ready(QUEUE + ".retry.5s") == 0);
		assertThat(this.broker.ready(QUEUE)).as("what came back while it refused").isEqualTo(work);
		this.rabbit.ctl("clear_policy", "full");
		try (ConfigurableApplicationContext application = start()) {
			Awaitility.await()
				.atMost(SHORTENED.multipliedBy(2))
				.untilAsserted(() -> assertThat(Application.handled).contains(failed()));
			assertThat(application.isRunning()).isTrue();
		}
	}

	private static String[] failed() {
		return IntStream.range(0, MESSAGES).mapToObj((number) -> "fail " + number).toArray(String[]::new);
	}

	private void send(String id) {
		this.broker.sendJson(QUEUE, id, Map.of(), "{}");
	}

	private ConfigurableApplicationContext start() {
		String policy = "--rabbit-retry.message-policies.Order.";
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.run("--spring.rabbitmq.addresses=" + this.rabbit.amqpUri(), "--rabbit-retry.topology.policies=ignore",
					policy + "queue=" + QUEUE, policy + "retry-backoff=fixed", policy + "initial-delay=5s",
					policy + "local-attempts=1");
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		static final Set<String> handled = ConcurrentHashMap.newKeySet();

		@RabbitListener(queues = QUEUE)
		void handle(Message message) {
			String id = message.getMessageProperties().getMessageId();
			if (id.startsWith("fail") && message.getMessageProperties().getHeader("x-app-retry-attempt") == null) {
				throw new IllegalStateException("not yet");
			}
			handled.add(id);
		}

	}

}
