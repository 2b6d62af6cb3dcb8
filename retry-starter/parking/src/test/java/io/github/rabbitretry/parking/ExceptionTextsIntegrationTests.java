/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import ch.qos.logback.classic.Level;
import io.github.rabbitretry.internal.failure.CapturedLog;
import io.github.rabbitretry.it.TestApplication;
import io.github.rabbitretry.it.TestBroker;
import io.github.rabbitretry.parking.message.Ledger;
import io.github.rabbitretry.parking.message.ParkedFilter;
import io.github.rabbitretry.parking.message.ParkedMessage;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Where the text of an exception appears, and does not if its policy shows none.
 */
class ExceptionTextsIntegrationTests {

	private final String queue = "exception-texts." + UUID.randomUUID();

	private final TestBroker broker = TestBroker.connect();

	@AfterEach
	void deleteQueues() throws Exception {
		this.broker.deleteAll(this.queue);
		this.broker.close();
	}

	@Test
	void withNoneOnlyClassAndFingerprintOfAnExceptionAreLoggedAndStored() {
		try (ConfigurableApplicationContext application = start("none");
				CapturedLog ours = new CapturedLog("io.github.rabbitretry", Level.DEBUG);
				CapturedLog spring = new CapturedLog("org.springframework.amqp", Level.DEBUG)) {
			ParkedMessage parked = park(application);
			assertThat(parked.summary().exception())
				.isEqualTo("java.lang.IllegalStateException <- java.lang.IllegalArgumentException");
			assertThat(parked.summary().fingerprint()).hasSize(16);
			assertThat(parked.summary().exceptionMessage()).isNull();
			assertThat(parked.toString()).doesNotContain("4711");
			for (CapturedLog log : List.of(ours, spring)) {
				assertThat(log.lines()).isNotEmpty().noneMatch((line) -> line.contains("4711"));
				for (Level level : List.of(Level.ERROR, Level.WARN, Level.INFO, Level.DEBUG)) {
					assertThat(log.traces(level)).noneMatch((trace) -> trace.contains("4711"));
				}
			}
			assertThat(ours.lines()).anyMatch((line) -> line.contains("retried in") && line.contains("IllegalArgument"))
				.anyMatch((line) -> line.contains("parked in") && line.contains(parked.summary().fingerprint()));
		}
	}

	@Test
	void withFullTheTextIsInLogHeadersAndLedgerAsTheExceptionSaysIt() {
		try (ConfigurableApplicationContext application = start("full");
				CapturedLog log = new CapturedLog(Level.INFO)) {
			ParkedMessage parked = park(application);
			assertThat(parked.summary().exceptionMessage()).isEqualTo("customer 4711 is unknown");
			assertThat(parked.headers().get("x-app-root-exception-message")).hasToString("4711 is too short");
			assertThat(log.traces(Level.WARN)).singleElement()
				.asString()
				.contains("customer 4711 is unknown", "4711 is too short");
		}
	}

	private ConfigurableApplicationContext start(String texts) {
		String policy = "rabbit-retry.message-policies.Order.";
		return TestApplication.start(Application.class, "test.queue=" + this.queue, policy + "queue=" + this.queue,
				policy + "broker-attempts=1", policy + "initial-delay=100ms", policy + "local-attempts=1",
				"rabbit-retry.ledger.enabled=true", "spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID(),
				"rabbit-retry.defaults.exception-texts=" + texts);
	}

	private ParkedMessage park(ConfigurableApplicationContext application) {
		this.broker.sendJson(this.queue, "m-1", Map.of(), "{}");
		Ledger ledger = application.getBean(Ledger.class);
		Awaitility.await()
			.atMost(Duration.ofMinutes(1))
			.ignoreExceptions()
			.until(() -> ledger.count(ParkedFilter.ALL) == 1);
		return ledger.find(ledger.search(ParkedFilter.ALL, null, 1).messages().get(0).id()).orElseThrow();
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		@RabbitListener(queues = "${test.queue}")
		void handle(byte[] body) {
			throw new IllegalStateException("customer 4711 is unknown",
					new IllegalArgumentException("4711 is too short"));
		}

	}

}
