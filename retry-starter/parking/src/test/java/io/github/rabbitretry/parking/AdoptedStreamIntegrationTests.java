/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking;

import java.time.Duration;
import java.util.Map;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.github.rabbitretry.internal.health.HealthProblem;
import io.github.rabbitretry.internal.parking.ledger.LedgerHealth;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import io.github.rabbitretry.it.TestApplication;
import io.github.rabbitretry.it.TestBroker;
import io.github.rabbitretry.parking.message.Ledger;
import io.github.rabbitretry.parking.message.ParkedFilter;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * A stream can't be adopted, and costs the parking lots nothing.
 */
@ExtendWith(OutputCaptureExtension.class)
class AdoptedStreamIntegrationTests {

	private static final String DEAD = "streamed.dead";

	private static final String PARKING_LOT = "streamed.orders.parking-lot";

	private final TestBroker broker = TestBroker.connect();

	private ConfigurableApplicationContext application;

	@AfterEach
	void close() throws Exception {
		if (this.application != null) {
			this.application.close();
		}
		this.broker.deleteAll("streamed.orders");
		this.broker.channel().queueDelete(DEAD);
		this.broker.close();
	}

	@Test
	void aStreamFailsStartup() throws Exception {
		declare("stream");
		assertThatException().isThrownBy(this::start)
			.havingRootCause()
			.isInstanceOf(InvalidConfigurationException.class)
			.withMessageContaining("rabbit-retry.ledger.adopt")
			.withMessageContaining(DEAD)
			.withMessageContaining("is a stream");
	}

	@Test
	void aQueueThatBecomesAStreamIsLeftAloneAndParkingLotsGoOn(CapturedOutput output) throws Exception {
		declare("quorum");
		start();
		this.broker.send(DEAD, new BasicProperties(), "{}");
		awaitStored(1);
		this.broker.channel().queueDelete(DEAD);
		declare("stream");
		// not by a channel that has published to the queue of that name, which RabbitMQ
		// would close
		try (TestBroker other = TestBroker.connect()) {
			other.send(DEAD, new BasicProperties(), "{}");
		}
		LedgerHealth health = this.application.getBean(LedgerHealth.class);
		Awaitility.await()
			.atMost(Duration.ofSeconds(60))
			.untilAsserted(() -> assertThat(health.problems()).extracting(HealthProblem::code)
				.containsExactly("ledger-adopts-stream"));
		this.broker.send(PARKING_LOT, new BasicProperties(), "{}");
		awaitStored(2);
		assertThat(output).contains("Queue 'streamed.dead' of rabbit-retry.ledger.adopt is a stream")
			.doesNotContain("can't be consumed");
		assertThat(health.problems()).singleElement()
			.satisfies((problem) -> assertThat(problem.detail()).contains(DEAD));
	}

	@Test
	void aParkingLotThatBecomesAStreamEndsNoConnection(CapturedOutput output) throws Exception {
		declare("quorum");
		start();
		this.broker.send(PARKING_LOT, new BasicProperties(), "{}");
		awaitStored(1);
		this.broker.channel().queueDelete(PARKING_LOT);
		this.broker.channel().queueDeclare(PARKING_LOT, true, false, false, Map.of("x-queue-type", "stream"));
		Awaitility.await()
			.atMost(Duration.ofSeconds(60))
			.untilAsserted(() -> assertThat(output).contains("Parking lot '" + PARKING_LOT + "' can't be consumed"));
		this.broker.send(DEAD, new BasicProperties(), "{}");
		awaitStored(2);
		assertThat(output).doesNotContain("connection error").doesNotContain("NOT_IMPLEMENTED");
	}

	private void awaitStored(long messages) {
		Ledger ledger = this.application.getBean(Ledger.class);
		Awaitility.await()
			.atMost(Duration.ofSeconds(60))
			.untilAsserted(() -> assertThat(ledger.count(ParkedFilter.ALL)).isEqualTo(messages));
	}

	private void declare(String type) throws Exception {
		this.broker.channel().queueDeclare(DEAD, true, false, false, Map.of("x-queue-type", type));
	}

	private void start() {
		this.application = TestApplication.start(Application.class, "spring.datasource.url=jdbc:h2:mem:streamed",
				"rabbit-retry.ledger.enabled=true", "rabbit-retry.ledger.adopt=" + DEAD,
				"rabbit-retry.topology.startup-check=false",
				"rabbit-retry.message-policies.Order.queue=streamed.orders");
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
