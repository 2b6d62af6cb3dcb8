/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.scan;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.GetResponse;
import io.github.rabbitretry.internal.handover.ConfirmedPublishers;
import io.github.rabbitretry.internal.parking.mapping.ProducerHeaderNames;
import io.github.rabbitretry.internal.parking.mapping.LedgerPolicy;
import io.github.rabbitretry.internal.parking.mapping.ParkedMessageMapper;
import io.github.rabbitretry.internal.parking.mapping.Redaction;
import io.github.rabbitretry.internal.policy.ExceptionTexts;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.it.ParkedHeaders;
import io.github.rabbitretry.it.TestApplication;
import io.github.rabbitretry.it.TestBroker;
import io.github.rabbitretry.parking.message.ParkedFilter;
import io.github.rabbitretry.parking.message.ParkedMessage;
import io.github.rabbitretry.parking.message.ParkedSummary;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * What looking at a parking lot does to it.
 */
@Tag("smoke")
class ParkingLotWindowIntegrationTests {

	private static final String QUEUE = "scan.order";

	private static final String PARKING_LOT = "scan.order.parking-lot";

	private static final Instant PARKED = Instant.parse("2026-07-01T12:00:00Z");

	private static ConfigurableApplicationContext application;

	private static TestBroker broker;

	private ParkingLotWindow window = window(20, Duration.ofSeconds(5));

	@BeforeAll
	static void start() {
		broker = TestBroker.connect();
		broker.deleteAll(QUEUE);
		startApplication();
	}

	private static void startApplication() {
		application = TestApplication.start(Application.class,
				"spring.autoconfigure.exclude=org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
				"rabbit-retry.message-policies.ScanOrder.queue=" + QUEUE);
	}

	@AfterAll
	static void stop() {
		application.close();
		broker.deleteAll(QUEUE);
		broker.close();
	}

	@BeforeEach
	@AfterEach
	void empty() {
		broker.drain(PARKING_LOT);
		broker.drain(QUEUE);
	}

	private static ParkingLotWindow window(int messages, Duration patience) {
		LedgerPolicy policy = new LedgerPolicy("ScanOrder", "team-orders", QUEUE, PARKING_LOT, null, Redaction.NONE,
				ExceptionTexts.FULL);
		ProducerHeaderNames none = new ProducerHeaderNames(List.of(), List.of(), List.of(), List.of(), List.of());
		return new ParkingLotWindow(application.getBean(MessagePolicies.class), List.of(policy),
				new ParkedMessageMapper(none, Instant::now), application.getBean(ConnectionFactory.class),
				application.getBean(ConfirmedPublishers.class), new ScanSettings(messages, 1 << 20, patience));
	}

	private static void park(int count) {
		IntStream.range(0, count).forEach((number) -> park(number, headers(number)));
	}

	private static void park(int number, ParkedHeaders headers) {
		broker.sendJson(PARKING_LOT, "m" + number, headers.headers(), "{\"number\":%d}".formatted(number));
	}

	private static ParkedHeaders headers(int number) {
		return ParkedHeaders.of("ScanOrder", PARKED.plusSeconds(number));
	}

	private static List<String> ids(Collection<GetResponse> messages) {
		return messages.stream().map((message) -> message.getProps().getMessageId()).toList();
	}

	private static List<String> numbers(int from, int to) {
		return IntStream.range(from, to).mapToObj((number) -> "m" + number).toList();
	}

	private static void awaitReady(long count) {
		await().atMost(Duration.ofSeconds(30)).until(() -> broker.ready(PARKING_LOT) == count);
	}

	@Test
	void lookingTakesTheOldestAndLeavesAllWhereTheyWere() {
		park(50);
		ScannedLedger first = this.window.look(ParkedFilter.ALL, Set.of());
		ScannedLedger second = this.window.look(ParkedFilter.ALL.withQueue(QUEUE), Set.of());
		assertThat(first.windows()).containsExactly(new ScanWindow(QUEUE, PARKING_LOT, 20, 50, false, false));
		List<ParkedSummary> found = first.search(ParkedFilter.ALL, null, 100).messages();
		assertThat(found).extracting(ParkedSummary::messageId)
			.containsExactlyElementsOf(IntStream.iterate(19, (number) -> number >= 0, (number) -> number - 1)
				.mapToObj((number) -> "m" + number)
				.toList());
		assertThat(second.search(ParkedFilter.ALL, null, 100).messages()).isEqualTo(found);
		awaitReady(50);
		assertThat(ids(broker.drain(PARKING_LOT))).isEqualTo(numbers(0, 50));
	}

	@Test
	void aMessageIsShownWholeIfThatIsWanted() {
		park(3);
		long id = this.window.look(ParkedFilter.ALL, Set.of())
			.search(ParkedFilter.ALL.withMessageId("m1"), null, 1)
			.messages()
			.get(0)
			.id();
		ParkedMessage message = this.window.look(ParkedFilter.ALL, Set.of(id)).find(id).orElseThrow();
		assertThat(message.body()).asString().isEqualTo("{\"number\":1}");
		assertThat(message.properties().messageId()).isEqualTo("m1");
		assertThat(message.summary().attempts()).isEqualTo(4);
		assertThat(message.summary().exceptionMessage()).isEqualTo("Read timed out");
	}

	@Test
	void anEmptyParkingLotIsSoAtOnce() {
		ScannedLedger nothing = this.window.look(ParkedFilter.ALL, Set.of());
		assertThat(nothing.count(ParkedFilter.ALL)).isZero();
		assertThat(nothing.windows()).containsExactly(new ScanWindow(QUEUE, PARKING_LOT, 0, 0, true, false));
	}

	@Test
	void aWindowEndsWhereItsBytesEnd() {
		IntStream.range(0, 6)
			.forEach((number) -> broker.send(PARKING_LOT,
					TestBroker.json("m" + number).headers(headers(number).headers()).build(), new byte[400_000]));
		assertThat(this.window.look(ParkedFilter.ALL, Set.of()).windows())
			.containsExactly(new ScanWindow(QUEUE, PARKING_LOT, 3, 6, false, false));
		awaitReady(6);
		assertThat(ids(broker.drain(PARKING_LOT))).isEqualTo(numbers(0, 6));
	}

	@Test
	void looksAtTheSameTimeSeeTheSame() {
		park(20);
		List<CompletableFuture<Long>> looks = IntStream.range(0, 6)
			.mapToObj((number) -> CompletableFuture
				.supplyAsync(() -> this.window.look(ParkedFilter.ALL, Set.of()).count(ParkedFilter.ALL)))
			.toList();
		assertThat(looks).allSatisfy((look) -> assertThat(look).succeedsWithin(Duration.ofSeconds(30)).isEqualTo(20L));
	}

	@Test
	void aMissingParkingLotIsRefused() throws Exception {
		broker.channel().queueDelete(PARKING_LOT);
		isRefused();
	}

	@Test
	void aParkingLotThatIsAStreamIsRefused() throws Exception {
		broker.channel().queueDelete(PARKING_LOT);
		broker.channel().queueDeclare(PARKING_LOT, true, false, false, Map.of("x-queue-type", "stream"));
		// not by a channel that has published to the queue of that name, which RabbitMQ
		// would close
		try (TestBroker other = TestBroker.connect()) {
			other.send(PARKING_LOT, new BasicProperties(), "{}");
		}
		awaitReady(1);
		isRefused();
	}

	private void isRefused() throws Exception {
		try {
			assertThatExceptionOfType(ScanRefusedException.class)
				.isThrownBy(() -> this.window.look(ParkedFilter.ALL, Set.of()))
				.withMessageContaining(PARKING_LOT)
				.satisfies((refused) -> assertThat(refused.busy()).isFalse());
		}
		finally {
			broker.channel().queueDelete(PARKING_LOT);
			application.close();
			startApplication();
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
