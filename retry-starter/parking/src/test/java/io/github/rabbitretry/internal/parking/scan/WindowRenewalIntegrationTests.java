/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.scan;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.impl.ContentHeaderPropertyWriter;
import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.internal.handover.ConfirmedPublishers;
import io.github.rabbitretry.internal.acknowledgement.DeliveryChannel;
import io.github.rabbitretry.internal.parking.mapping.ProducerHeaderNames;
import io.github.rabbitretry.internal.parking.mapping.LedgerPolicy;
import io.github.rabbitretry.internal.parking.mapping.ParkedMessageMapper;
import io.github.rabbitretry.internal.parking.mapping.Redaction;
import io.github.rabbitretry.internal.policy.ExceptionTexts;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.it.ParkedHeaders;
import io.github.rabbitretry.it.TestApplication;
import io.github.rabbitretry.it.TestBroker;
import io.github.rabbitretry.parking.message.ParkedFilter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Whether looking often, or in trouble, leaves all messages parked.
 */
class WindowRenewalIntegrationTests {

	private static final String QUEUE = "window.acts";

	private static final String PARKING_LOT = "window.acts.parking-lot";

	private static final Instant PARKED = Instant.parse("2026-07-01T12:00:00Z");

	private static ConfigurableApplicationContext application;

	private static TestBroker broker;

	@BeforeAll
	static void start() {
		broker = TestBroker.connect();
		broker.deleteAll(QUEUE);
		application = TestApplication.start(Application.class,
				"spring.autoconfigure.exclude=org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
				"rabbit-retry.message-policies.ActsOrder.queue=" + QUEUE);
	}

	@AfterAll
	static void stop() {
		application.close();
		broker.deleteAll(QUEUE);
		broker.close();
	}

	@BeforeEach
	void empty() throws Exception {
		broker.channel().queuePurge(PARKING_LOT);
		broker.channel().queuePurge(QUEUE);
	}

	private static ParkingLotWindow window() {
		return window(application.getBean(ConnectionFactory.class));
	}

	private static ParkingLotWindow window(ConnectionFactory connections) {
		LedgerPolicy policy = new LedgerPolicy("ActsOrder", "team-orders", QUEUE, PARKING_LOT, null, Redaction.NONE,
				ExceptionTexts.FULL);
		ProducerHeaderNames none = new ProducerHeaderNames(List.of(), List.of(), List.of(), List.of(), List.of());
		return new ParkingLotWindow(application.getBean(MessagePolicies.class), List.of(policy),
				new ParkedMessageMapper(none, Instant::now), connections,
				application.getBean(ConfirmedPublishers.class),
				new ScanSettings(1000, 1 << 24, Duration.ofSeconds(10)));
	}

	private static void park(int from, int to) throws Exception {
		for (int number = from; number < to; number++) {
			BasicProperties properties = TestBroker.json("m" + number)
				.headers(ParkedHeaders.of("ActsOrder", PARKED.plusSeconds(number)).headers())
				.build();
			broker.channel().basicPublish("", PARKING_LOT, properties, "{}".getBytes());
		}
		broker.channel().waitForConfirmsOrDie(30_000);
	}

	private static void assertParked(long count) {
		// what was not acknowledged comes back in the end, at once or not
		await().during(Duration.ofMillis(200))
			.atMost(Duration.ofSeconds(30))
			.until(() -> broker.ready(PARKING_LOT) == count);
	}

	private static List<String> numbers(int from, int to) {
		return IntStream.range(from, to).mapToObj((number) -> "m" + number).toList();
	}

	private static List<String> ids(List<GetResponse> messages) {
		return messages.stream().map((message) -> message.getProps().getMessageId()).toList();
	}

	@Test
	void anUnencodableMessageIsShownAndBlocksNoOther() throws Exception {
		park(0, 2);
		broker.send(PARKING_LOT, new Undecodable(), "{}");
		park(2, 4);
		ScannedLedger seen = window().look(ParkedFilter.ALL, Set.of());
		assertThat(seen.count(ParkedFilter.ALL)).isEqualTo(5);
		assertParked(5);
	}

	@Test
	void lookingOftenLosesNothingThoughAPolicySetsADeliveryLimit() throws Exception {
		Broker shared = Broker.shared();
		shared.ctl("set_policy", "-p", shared.virtualHost(), "limit", "^window\\.acts\\.parking-lot$",
				"{\"delivery-limit\":3}", "--apply-to", "queues");
		try {
			park(0, 20);
			for (int look = 0; look < 25; look++) {
				assertThat(window().look(ParkedFilter.ALL, Set.of()).count(ParkedFilter.ALL)).isEqualTo(20);
			}
			assertParked(20);
			assertThat(ids(broker.drain(PARKING_LOT))).isEqualTo(numbers(0, 20));
		}
		finally {
			shared.ctl("clear_policy", "-p", shared.virtualHost(), "limit");
		}
	}

	@Test
	void aConnectionThatBreaksWhileMessagesAreParkedAnewIsReported() throws Exception {
		assumeTrue(!new DeliveryChannel(broker.channel()).givesBackUncounted(), "looks do not count");
		park(0, 20);
		for (int look = 0; look < WindowRenewal.MOST_RETURNS; look++) {
			window().look(ParkedFilter.ALL, Set.of());
		}
		CachingConnectionFactory connections = application.getBean(CachingConnectionFactory.class);
		Duration patience = Duration.ofSeconds(10);
		WindowRenewal renewal = new WindowRenewal((policy) -> {
			connections.resetConnection();
			return application.getBean(ConfirmedPublishers.class).publisher(connections, policy.messageType());
		}, patience);
		MessagePolicy policy = application.getBean(MessagePolicies.class).all().iterator().next();
		ParkingLotScanner scanner = new ParkingLotScanner(application.getBean(ConnectionFactory.class),
				new ScanSettings(1000, 1 << 24, patience), renewal);
		assertThatExceptionOfType(ScanRefusedException.class).isThrownBy(() -> scanner.scan(policy, (held) -> {
			throw new IllegalStateException("nothing is read");
		}, (window, messages) -> {
		})).withMessageContaining("20 of its messages").withMessageContaining("twice");
		await().atMost(Duration.ofSeconds(30)).until(() -> broker.ready(PARKING_LOT) >= 20);
		assertThat(ids(broker.drain(PARKING_LOT))).contains(numbers(0, 20).toArray(String[]::new));
	}

	@Test
	void anOperatorParksAnewWithTheRightsOfTheRole() throws Exception {
		assumeTrue(!new DeliveryChannel(broker.channel()).givesBackUncounted(), "looks do not count");
		park(0, 20);
		CachingConnectionFactory all = application.getBean(CachingConnectionFactory.class);
		CachingConnectionFactory connections = new CachingConnectionFactory(all.getHost(), all.getPort());
		connections.setVirtualHost(all.getVirtualHost());
		connections.setUsername("window-operator");
		connections.setPassword("window-operator");
		connections.setPublisherConfirmType(CachingConnectionFactory.ConfirmType.CORRELATED);
		Broker shared = Broker.shared();
		shared.ctl("add_user", "window-operator", "window-operator");
		try {
			shared.ctl("set_permissions", "-p", shared.virtualHost(), "window-operator", "^$",
					"^window\\.acts\\.(dlx|retry)$", "^window\\.acts\\.parking-lot$");
			ParkingLotWindow window = window(connections);
			for (int look = 0; look < 2 * WindowRenewal.MOST_RETURNS; look++) {
				assertThat(window.look(ParkedFilter.ALL, Set.of()).count(ParkedFilter.ALL)).isEqualTo(20);
			}
			assertParked(20);
			assertThat(ids(broker.drain(PARKING_LOT))).isEqualTo(numbers(0, 20));
		}
		finally {
			connections.destroy();
			shared.ctl("delete_user", "window-operator");
		}
	}

	/**
	 * Bytes of which none is UTF-8, as many as fit, in all properties and a header's
	 * name.
	 */
	private static final class Undecodable extends BasicProperties {

		@Override
		public void writePropertiesTo(ContentHeaderPropertyWriter writer) throws IOException {
			// content type, encoding, headers, delivery mode, priority, correlation id,
			// reply to, expiration, message id, timestamp, type, user id, app id, cluster
			boolean[] present = { true, true, true, true, false, true, true, false, true, false, true, false, true,
					false };
			for (boolean property : present) {
				writer.writePresence(property);
			}
			writer.finishPresence();
			text(writer);
			text(writer);
			writer.writeLong(256 + 1 + 4);
			text(writer);
			writer.writeOctet('I');
			writer.writeLong(1);
			writer.writeOctet(2);
			for (int property = 0; property < 5; property++) {
				text(writer);
			}
		}

		private static void text(ContentHeaderPropertyWriter writer) throws IOException {
			for (int octet = 0; octet <= 255; octet++) {
				writer.writeOctet(255);
			}
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
