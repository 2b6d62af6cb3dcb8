/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.github.rabbitretry.it.TestApplication;
import io.github.rabbitretry.it.TestBroker;
import io.github.rabbitretry.parking.message.Ledger;
import io.github.rabbitretry.parking.message.ParkedFilter;
import io.github.rabbitretry.parking.message.ParkedState;
import io.github.rabbitretry.parking.message.ParkedSummary;
import io.github.rabbitretry.parking.replay.DryRun;
import io.github.rabbitretry.parking.replay.OperatorAction;
import io.github.rabbitretry.parking.replay.ReplayOptions;
import io.github.rabbitretry.parking.replay.ReplayRequest;
import io.github.rabbitretry.parking.replay.ReplayService;
import io.github.rabbitretry.parking.replay.Selection;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.support.converter.JacksonJsonMessageConverter;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A dry run tells what the code that runs now makes of the messages.
 */
class DryRunIntegrationTests {

	private static final OperatorAction ACT = new OperatorAction("ops-user-123", "SCHEMA_HANDLER_FIXED");

	private final String queue = "dry." + UUID.randomUUID();

	private final TestBroker broker = TestBroker.connect();

	private ConfigurableApplicationContext context;

	@BeforeEach
	void start() {
		this.context = TestApplication.start(Orders.class,
				"spring.datasource.url=jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1".formatted(UUID.randomUUID()),
				"spring.application.name=orders", "test.queue=" + this.queue,
				"rabbit-retry.message-policies.Order.queue=" + this.queue,
				"rabbit-retry.message-policies.Order.broker-attempts=0",
				"rabbit-retry.message-policies.Order.park-on=DESERIALIZATION_FAILED,UNSUPPORTED_SCHEMA_VERSION",
				"rabbit-retry.message-policies.Idle.queue=" + this.queue + ".idle",
				"rabbit-retry.message-policies.Idle.park-on=UNSUPPORTED_SCHEMA_VERSION",
				"rabbit-retry.message-policies.Idle.broker-attempts=0", "rabbit-retry.ledger.enabled=true",
				"rabbit-retry.classification.rules[0].exception=java.lang.UnsupportedOperationException",
				"rabbit-retry.classification.rules[0].failure-class=permanent-technical",
				"rabbit-retry.classification.rules[0].reason=UNSUPPORTED_SCHEMA_VERSION");
	}

	@AfterEach
	void stop() throws Exception {
		this.context.close();
		for (String work : List.of(this.queue, this.queue + ".idle")) {
			for (String name : List.of(work, work + ".dlq", work + ".parking-lot")) {
				this.broker.channel().queueDelete(name);
			}
		}
		this.broker.close();
	}

	private void park(String work, String id, String body, String reason, String version) {
		Map<String, Object> headers = ParkedLot.envelope();
		headers.put("x-app-retry-reason", reason);
		headers.put("x-app-failure-fingerprint", "f-" + reason);
		headers.put("x-app-retry-class", "permanent-technical");
		headers.put("x-app-handler-version", version);
		this.broker.send(work + ".parking-lot", TestBroker.json(id).headers(headers).build(), body);
	}

	private DryRun dryRun(Selection selection) {
		return this.context.getBean(ReplayService.class)
			.dryRun(new ReplayRequest(selection, ReplayOptions.careful(100), ACT));
	}

	private List<ParkedSummary> awaitParked(int count) {
		Ledger ledger = this.context.getBean(Ledger.class);
		ParkedFilter parked = ParkedFilter.ALL.withState(ParkedState.PARKED);
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.untilAsserted(() -> assertThat(ledger.count(parked)).isEqualTo(count));
		return ledger.search(parked, null, count).messages();
	}

	@Test
	void aGroupIsNotReportedForAVersionThatNoLongerRunsAndNoHandlerIsCalled() {
		park(this.queue, "m-1", "{\"amount\":1}", "UNSUPPORTED_SCHEMA_VERSION", "old:1");
		park(this.queue, "bad-1", "{\"amount\":\"many\"}", "DESERIALIZATION_FAILED", "old:1");
		List<ParkedSummary> parked = awaitParked(2);
		assertThat(dryRun(Selection.of(ParkedFilter.ALL)).groups()).hasSize(2)
			.allSatisfy((group) -> assertThat(group.findings()).isEmpty());
		DryRun ofOne = dryRun(Selection.of(List.of(parked.get(0).id())));
		assertThat(ofOne.matching()).isOne();
		assertThat(ofOne.groups()).singleElement()
			.satisfies((group) -> assertThat(group.reason()).isEqualTo("DESERIALIZATION_FAILED"));
		assertThat(this.context.getBean(Orders.class).handled).as("no handler is called").isEmpty();
	}

	@Test
	void aCanaryOfSeveralQueuesMayTestOnlyOne() {
		park(this.queue + ".idle", "m-1", "{}", "SOME_REASON", "old:1");
		for (int number = 2; number <= 10; number++) {
			park(this.queue, "m-" + number, "{\"amount\":1}", "SOME_REASON", "old:1");
		}
		awaitParked(10);
		assertThat(dryRun(Selection.of(ParkedFilter.ALL)).cautions()).as("the canary is all of them")
			.noneSatisfy((caution) -> assertThat(caution).contains("The canary takes"));
		park(this.queue, "m-11", "{\"amount\":1}", "SOME_REASON", "old:1");
		awaitParked(11);
		assertThat(dryRun(Selection.of(ParkedFilter.ALL)).cautions())
			.anySatisfy((caution) -> assertThat(caution).startsWith("The messages are of 2 queues. The canary takes"));
		assertThat(dryRun(Selection.of(ParkedFilter.ALL.withQueue(this.queue))).cautions())
			.noneSatisfy((caution) -> assertThat(caution).contains("The canary takes"));
	}

	@Test
	void whereNothingRunsNothingIsClaimed() {
		park(this.queue + ".idle", "m-1", "{}", "UNSUPPORTED_SCHEMA_VERSION", "old:1");
		awaitParked(1);
		DryRun.Group group = dryRun(Selection.of(ParkedFilter.ALL)).groups().get(0);
		assertThat(group.findings()).containsExactly(DryRun.Group.Finding.NO_LISTENER_HERE);
		assertThat(group.onSameFailure()).isEqualTo(DryRun.Group.Verdict.UNKNOWN);
	}

	record Order(int amount) {
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Orders {

		final List<Order> handled = Collections.synchronizedList(new ArrayList<>());

		@RabbitListener(queues = "${test.queue}")
		void handle(Order order) {
			this.handled.add(order);
		}

		@Bean
		JacksonJsonMessageConverter converter() {
			return new JacksonJsonMessageConverter();
		}

	}

}
