/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.deadletter;

import java.io.UnsupportedEncodingException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.impl.Frame;
import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.decision.Decision;
import io.github.rabbitretry.internal.classify.FailureFingerprint;
import io.github.rabbitretry.internal.delivery.TestDelivery;
import io.github.rabbitretry.internal.message.AppHeaders;
import io.github.rabbitretry.internal.message.ConsumerIdentity;
import io.github.rabbitretry.internal.message.DeliveryHistory;
import io.github.rabbitretry.internal.message.OutboundProperties;
import io.github.rabbitretry.internal.message.ReceivedMessage;
import io.github.rabbitretry.internal.policy.ExceptionTexts;
import io.github.rabbitretry.internal.policy.TestPolicy;
import io.github.rabbitretry.topology.Usage;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ParkingHeadersTests {

	private static final Instant NOW = Instant.parse("2026-07-01T12:00:00Z");

	private static final Decision.Park EXHAUSTED = new Decision.Park("RETRY_BUDGET_EXHAUSTED", FailureClass.TRANSIENT,
			"DOWNSTREAM_TIMEOUT");

	private static final DeliveryHistory HISTORY = new DeliveryHistory(3, NOW.minusSeconds(60), null,
			Duration.ofSeconds(7), 3, Usage.NONE, null, List.of());

	private final ParkingHeaders envelope = new ParkingHeaders(new ConsumerIdentity("worker", "worker:1.0"));

	@Test
	void answersEveryQuestionOfTheContract() {
		Exception failure = new IllegalStateException("no answer", new SocketTimeoutException("Read timed out"));
		failure.getCause()
			.setStackTrace(new StackTraceElement[] { new StackTraceElement("com.acme.Http", "get", "Http.java", 7),
					new StackTraceElement("com.acme.Orders", "create", "Orders.java", 42) });
		ReceivedMessage received = new ReceivedMessage(new BasicProperties.Builder().messageId("m-1").build(),
				"{}".getBytes(StandardCharsets.UTF_8), "order.command", "order.create", "order");
		Map<String, Object> headers = this.envelope
			.write(TestDelivery.of(TestPolicy.order().build(), received, HISTORY, failure, NOW), EXHAUSTED);
		assertThat(headers).containsExactlyInAnyOrderEntriesOf(Map.ofEntries(Map.entry("x-app-retry-attempt", 3),
				Map.entry("x-app-retry-max", 3), Map.entry("x-app-retry-reason", "RETRY_BUDGET_EXHAUSTED"),
				Map.entry("x-app-retry-class", "transient"), Map.entry("x-app-failure-reason", "DOWNSTREAM_TIMEOUT"),
				Map.entry("x-app-first-failure-at", "2026-07-01T11:59:00Z"),
				Map.entry("x-app-last-failure-at", "2026-07-01T12:00:00Z"), Map.entry("x-app-message-type", "Order"),
				Map.entry("x-app-consumer", "worker"), Map.entry("x-app-owner", "team-orders"),
				Map.entry("x-app-origin-exchange", "order.command"),
				Map.entry("x-app-origin-routing-key", "order.create"), Map.entry("x-app-origin-queue", "order"),
				Map.entry("x-app-origin-message-id", "m-1"), Map.entry("x-app-cumulative-delay", 7000L),
				Map.entry("x-app-exception", "java.lang.IllegalStateException <- java.net.SocketTimeoutException"),
				Map.entry("x-app-exception-message", "no answer"),
				Map.entry("x-app-root-exception", "java.net.SocketTimeoutException"),
				Map.entry("x-app-root-exception-message", "Read timed out"),
				Map.entry("x-app-exception-frames",
						"com.acme.Http.get(Http.java:7) <- com.acme.Orders.create(Orders.java:42)"),
				Map.entry("x-app-failure-fingerprint", FailureFingerprint.of(failure, "Order")),
				Map.entry("x-app-payload-hash", "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"),
				Map.entry("x-app-handler-version", "worker:1.0"), Map.entry("x-app-parked-at", "2026-07-01T12:00:00Z"),
				Map.entry("x-app-replay-policy", "AFTER_REVIEW"),
				Map.entry("x-app-retry-history", "2026-07-01T12:00:00Z #4 DOWNSTREAM_TIMEOUT parked worker")));
	}

	@Test
	void ofAnExceptionWhoseTextIsNotShownClassesAndFingerprintAreWritten() {
		Exception failure = new IllegalStateException("can't charge card 4111-1111",
				new IllegalArgumentException("4111-1111 is expired"));
		ReceivedMessage received = new ReceivedMessage(new BasicProperties(), new byte[0], "", "order", "order");
		Map<String, Object> headers = this.envelope.write(TestDelivery
			.of(TestPolicy.order().exceptionTexts(ExceptionTexts.NONE).build(), received, HISTORY, failure, NOW),
				EXHAUSTED);
		assertThat(headers)
			.containsEntry("x-app-exception", "java.lang.IllegalStateException <- java.lang.IllegalArgumentException")
			.containsEntry("x-app-root-exception", "java.lang.IllegalArgumentException")
			.containsEntry("x-app-failure-fingerprint", FailureFingerprint.of(failure, "Order"))
			.doesNotContainKeys("x-app-exception-message", "x-app-root-exception-message", "x-app-exception-frames");
		assertThat(headers.toString()).doesNotContain("4111");
	}

	@Test
	void whatWasNotHandledHasNoExceptionButAFingerprint() {
		ReceivedMessage received = new ReceivedMessage(new BasicProperties(), new byte[0], "", "order", "order");
		assertThat(this.envelope.write(TestDelivery.of(TestPolicy.order().build(), received, HISTORY, null, NOW),
				EXHAUSTED))
			.doesNotContainKeys("x-app-exception", "x-app-exception-message", "x-app-root-exception",
					"x-app-root-exception-message", "x-app-exception-frames")
			.containsEntry("x-app-failure-fingerprint", FailureFingerprint.of("DOWNSTREAM_TIMEOUT", "Order"))
			.containsEntry("x-app-retry-history", "2026-07-01T12:00:00Z #4 RETRY_BUDGET_EXHAUSTED parked worker");
	}

	@Test
	void theLongestPossibleInputsStayWithinTheBoundOfAllOurHeaders() throws UnsupportedEncodingException {
		String endless = "\ud83d\udc30".repeat(100_000);
		TestPolicy policy = TestPolicy.named(endless).owner(endless).replayPolicy(endless);
		ParkingHeaders wordy = new ParkingHeaders(new ConsumerIdentity(endless, endless));
		Map<String, Object> before = new HashMap<>();
		before.put("x-app-retry-history", "2026-07-01T11:59:00Z #1 %s 10s \u20ac".formatted("R".repeat(1000)));
		for (String origin : List.of("exchange", "routing-key", "queue", "message-id", "expiration", "user-id", "cc")) {
			before.put("x-app-origin-" + origin, endless);
		}
		ReceivedMessage received = new ReceivedMessage(new BasicProperties.Builder().headers(before).build(),
				new byte[0], endless, endless, endless);
		Decision.Park park = new Decision.Park("R".repeat(64), FailureClass.PERMANENT_TECHNICAL, "R".repeat(64));
		Map<String, Object> headers = wordy
			.write(TestDelivery.of(policy.build(), received, HISTORY, chain(endless), NOW), park);
		headers.put(AppHeaders.HANDOVER_ID, Long.MAX_VALUE);
		headers.put(AppHeaders.RETRY_DELAY, Long.MAX_VALUE);
		headers.put(AppHeaders.RETRY_NOT_BEFORE, NOW.toString());
		headers.put(AppHeaders.DROPPED_HEADERS, "x".repeat(1024));
		assertThat(Frame.tableSize(headers)).isLessThanOrEqualTo(AppHeaders.LARGEST_TOTAL);
		assertThat(headers.keySet()).allMatch((name) -> name.startsWith(AppHeaders.PREFIX));
		OutboundProperties copy = OutboundProperties.of(received.properties(), headers, 131_072);
		assertThat(Frame.tableSize(copy.properties().getHeaders())).isLessThanOrEqualTo(AppHeaders.LARGEST_TOTAL);
	}

	private static Throwable chain(String message) {
		List<Throwable> chain = new ArrayList<>(List.of(new IllegalStateException(message)));
		StackTraceElement[] frames = new StackTraceElement[60];
		for (int line = 0; line < frames.length; line++) {
			frames[line] = new StackTraceElement("C".repeat(1000) + line, "m".repeat(1000), "f".repeat(1000), line);
		}
		chain.get(0).setStackTrace(frames);
		for (int depth = 0; depth < 40; depth++) {
			chain.add(new RuntimeException(message, chain.get(depth)));
		}
		return chain.get(40);
	}

}
