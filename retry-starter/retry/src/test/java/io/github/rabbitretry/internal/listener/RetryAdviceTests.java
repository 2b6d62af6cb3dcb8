/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.classify.FailureClassification;
import io.github.rabbitretry.internal.failure.CapturedLog;
import io.github.rabbitretry.internal.logging.FailingLog;
import io.github.rabbitretry.internal.message.DeliveryHistory;
import io.github.rabbitretry.internal.policy.TestPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.amqp.ImmediateAcknowledgeAmqpException;

import static org.assertj.core.api.Assertions.assertThat;

class RetryAdviceTests {

	private final ManagedTestListener owned = new ManagedTestListener();

	@AfterEach
	void close() {
		this.owned.close();
	}

	@Test
	void aHandledDeliveryIsAcknowledgedAlone() {
		this.owned.start(TestPolicy.order().build(), (message) -> {
		}).deliver();
		assertThat(this.owned.channel().settled()).containsExactly("ack");
		assertThat(this.owned.channel().published()).isEmpty();
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 1, "acknowledged", 1));
	}

	@Test
	void aFailedDeliveryIsAcknowledgedOnceItsCopyIsConfirmed() {
		this.owned.start(TestPolicy.order().build(), RetryAdviceTests::timeOut).deliver(Map.of("tenant", "t"));
		assertThat(this.owned.channel().settled()).containsExactly("ack");
		RecordingChannel.Published copy = this.owned.channel().published().get(0);
		assertThat(copy.exchange()).isEqualTo("order.retry");
		assertThat(copy.routingKey()).isEqualTo("order.retry.1s");
		assertThat(copy.headers()).containsEntry("x-app-retry-attempt", 1)
			.containsEntry("x-app-retry-reason", "DOWNSTREAM_TIMEOUT")
			.containsEntry("x-app-retry-delay", 1000L)
			.containsEntry("x-app-cumulative-delay", 1000L)
			.containsEntry("x-app-first-failure-at", "2026-07-01T12:00:00Z")
			.containsEntry("x-app-retry-not-before", "2026-07-01T12:00:00.950Z")
			.containsEntry("x-app-retry-history", "2026-07-01T12:00:00Z #1 DOWNSTREAM_TIMEOUT 1s worker")
			.hasEntrySatisfying("tenant", (value) -> assertThat(value).hasToString("t"));
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 1, "retried DOWNSTREAM_TIMEOUT", 1));
	}

	@Test
	void theLastAttemptIsParked() {
		this.owned.start(TestPolicy.order().build(), RetryAdviceTests::timeOut)
			.deliver(Map.of("x-app-retry-attempt", 3, "x-app-first-failure-at", "2026-07-01T11:59:00Z"));
		assertThat(this.owned.channel().settled()).containsExactly("ack");
		RecordingChannel.Published copy = this.owned.channel().published().get(0);
		assertThat(copy.exchange()).isEqualTo("order.dlx");
		assertThat(copy.routingKey()).isEqualTo("order.parking-lot");
		assertThat(copy.headers()).containsEntry("x-app-retry-reason", "RETRY_BUDGET_EXHAUSTED")
			.containsEntry("x-app-failure-reason", "DOWNSTREAM_TIMEOUT");
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 1, "parked RETRY_BUDGET_EXHAUSTED", 1));
	}

	@Test
	void aCopyTellsOfAllAttemptsBefore() {
		String before = "2026-07-01T11:59:00Z #1 LOCK_CONFLICT 1s other";
		this.owned.start(TestPolicy.order().build(), RetryAdviceTests::timeOut)
			.deliver(Map.of("x-app-retry-attempt", 1, "x-app-retry-history", before));
		assertThat(this.owned.channel().published().get(0).headers()).containsEntry("x-app-retry-history",
				before + "; 2026-07-01T12:00:00Z #2 DOWNSTREAM_TIMEOUT 2s worker");
	}

	@ParameterizedTest
	@MethodSource
	void aHistoryThatIsNoneIsIgnoredWithAWarningAndBegunAnew(Object foreign) {
		this.owned.start(TestPolicy.order().build(), RetryAdviceTests::timeOut)
			.deliver(Map.of("x-app-retry-history", foreign));
		assertThat(this.owned.channel().published().get(0).headers()).containsEntry("x-app-retry-history",
				"2026-07-01T12:00:00Z #1 DOWNSTREAM_TIMEOUT 1s worker");
		assertThat(DeliveryHistory.read(Map.of("x-app-retry-history", foreign), ManagedTestListener.NOW).ignored())
			.containsExactly("x-app-retry-history");
	}

	static Stream<Object> aHistoryThatIsNoneIsIgnoredWithAWarningAndBegunAnew() {
		return Stream.of(7, List.of(), Map.of("at", 1), "", "my own story", "a\nforged line");
	}

	@Test
	void aMessageThatGoesOnWaitingKeepsItsHistory() {
		String before = "2026-07-01T11:59:00Z #1 LOCK_CONFLICT 1s other; ".repeat(9)
				+ "2026-07-01T11:59:00Z #1 LOCK_CONFLICT 1s other";
		this.owned.start(TestPolicy.order().build(), RetryAdviceTests::timeOut)
			.deliver(Map.of("x-app-retry-attempt", 1, "x-app-retry-not-before", "2026-07-01T12:00:03Z",
					"x-app-retry-delay", 5000L, "x-app-retry-history", before));
		assertThat(this.owned.channel().published().get(0).headers().get("x-app-retry-history")).hasToString(before);
	}

	@Test
	void theHistoryIsLeftOutWhereHeadersHaveNoRoomForIt() {
		this.owned.start(TestPolicy.order().build(), RetryAdviceTests::timeOut)
			.deliver(Map.of("huge", "x".repeat(131_072 - 24 * 1024 - 1000), "x-app-retry-history",
					"2026-07-01T11:59:00Z #1 LOCK_CONFLICT 1s %s; ".formatted("c".repeat(100)).repeat(5)
							+ "2026-07-01T11:59:00Z #1 LOCK_CONFLICT 1s other"));
		RecordingChannel.Published copy = this.owned.channel().published().get(0);
		assertThat(copy.routingKey()).isEqualTo("order.retry.1s");
		assertThat(copy.headers()).containsKey("huge")
			.doesNotContainKeys("x-app-retry-history", "x-app-dropped-headers");
	}

	@Test
	void parkingIsLoggedWithTheHandlersTrace() {
		try (CapturedLog log = new CapturedLog(Level.INFO)) {
			this.owned.start(TestPolicy.order().build(), RetryAdviceTests::timeOut)
				.deliver(Map.of("x-app-retry-attempt", 3, "x-app-first-failure-at", "2026-07-01T11:59:00Z"));
			assertThat(log.lines()).singleElement()
				.asString()
				.startsWith("WARN Message 'm-1' of Order parked in 'order.parking-lot' at attempt 4 of 4: "
						+ "RETRY_BUDGET_EXHAUSTED after DOWNSTREAM_TIMEOUT");
			assertThat(log.traces(Level.WARN)).singleElement()
				.asString()
				.contains("at " + RetryAdviceTests.class.getName() + ".timeOut(");
		}
	}

	@Test
	void aRetryIsLoggedWithItsDelayAndAtDebugWithTheHandlersTrace() {
		try (CapturedLog log = new CapturedLog(Level.DEBUG)) {
			this.owned.start(TestPolicy.order().build(), RetryAdviceTests::timeOut).deliver();
			assertThat(log.lines()).hasSize(2)
				.first()
				.asString()
				.startsWith("INFO Message 'm-1' of Order retried in 1s after attempt 1 of 4: DOWNSTREAM_TIMEOUT");
			assertThat(log.traces(Level.DEBUG)).singleElement()
				.asString()
				.contains("at " + RetryAdviceTests.class.getName() + ".timeOut(");
		}
	}

	@Test
	void localAttemptsAreMadeFirst() {
		this.owned.start(TestPolicy.order().localAttempts(3).build(), RetryAdviceTests::timeOut).deliver();
		assertThat(this.owned.calls()).isEqualTo(3);
		assertThat(this.owned.channel().published()).hasSize(1);
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 1, "retried DOWNSTREAM_TIMEOUT", 1));
	}

	@Test
	void whatLocalAttemptsCannotHelpIsTriedOnce() {
		this.owned
			.classifier(
					(failure, delivery) -> Optional.of(FailureClassification.of(FailureClass.PERMANENT_BUSINESS, "NO")))
			.start(TestPolicy.order().localAttempts(3).build(), RetryAdviceTests::timeOut)
			.deliver();
		assertThat(this.owned.calls()).isEqualTo(1);
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 1, "parked NO", 1));
	}

	@Test
	void aFailedDeliveryIsRetriedAlthoughNothingCanBeLogged() {
		this.owned.start(TestPolicy.order().build(), RetryAdviceTests::timeOut);
		try (FailingLog log = new FailingLog("io.github.rabbitretry")) {
			this.owned.deliver();
		}
		assertThat(this.owned.channel().settled()).containsExactly("ack");
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 1, "retried DOWNSTREAM_TIMEOUT", 1));
	}

	@Test
	void aReasonThatParksOrDiscardsIsTriedOnce() {
		this.owned
			.start(TestPolicy.order().localAttempts(3).discardOn("DOWNSTREAM_TIMEOUT").build(),
					RetryAdviceTests::timeOut)
			.deliver();
		assertThat(this.owned.calls()).isEqualTo(1);
		assertThat(this.owned.channel().published()).isEmpty();
		assertThat(this.owned.channel().settled()).containsExactly("ack");
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 1, "discarded DOWNSTREAM_TIMEOUT", 1));
	}

	@Test
	void whoeverAsksToStayAwayIsNotCalledAgainAtOnce() {
		this.owned
			.classifier((failure, delivery) -> Optional
				.of(new FailureClassification(FailureClass.CONTENTION, "BUSY", Duration.ofMinutes(10))))
			.start(TestPolicy.order().localAttempts(3).build(), RetryAdviceTests::timeOut)
			.deliver();
		assertThat(this.owned.calls()).isEqualTo(1);
		assertThat(this.owned.channel().published().get(0).routingKey())
			.isEqualTo(TestPolicy.order().build().topology().route(Duration.ofMinutes(10)).routingKey());
		assertThat(this.owned.channel().published().get(0).headers())
			.containsEntry("x-app-retry-not-before", "2026-07-01T12:10:00Z")
			.containsEntry("x-app-retry-delay", 600_000L);
	}

	@Test
	void aMessageThatWaitedTooLongIsParkedWithoutBeingHandled() {
		this.owned.start(TestPolicy.order().build(), RetryAdviceTests::timeOut)
			.deliver(Map.of("x-app-retry-attempt", 1, "x-app-first-failure-at", "2026-07-01T10:59:00Z",
					"x-app-retry-reason", "LOCK_CONFLICT", "x-app-retry-class", "contention"));
		assertThat(this.owned.calls()).isZero();
		assertThat(this.owned.channel().published().get(0).headers())
			.containsEntry("x-app-retry-reason", "RETRY_AGE_EXCEEDED")
			.containsEntry("x-app-failure-reason", "LOCK_CONFLICT")
			.containsEntry("x-app-retry-class", "contention");
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 1, "parked RETRY_AGE_EXCEEDED", 1));
	}

	@Test
	void aMessageThatLacksAMomentOfAComposedDelayGoesOnWaiting() {
		this.owned.start(TestPolicy.order().build(), RetryAdviceTests::timeOut)
			.deliver(Map.of("x-app-retry-attempt", 1, "x-app-first-failure-at", "2026-07-01T11:59:00Z",
					"x-app-retry-not-before", "2026-07-01T12:00:00.014Z"));
		assertThat(this.owned.calls()).isZero();
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 1, "postponed", 1));
	}

	@Test
	void aMessageThatCameBackTooEarlyGoesOnWaitingAsItIs() {
		Map<String, Object> headers = new HashMap<>(Map.of("x-app-retry-attempt", 2, "x-app-retry-max", 3,
				"x-app-retry-reason", "RATE_LIMITED", "x-app-first-failure-at", "2026-07-01T11:59:00Z",
				"x-app-cumulative-delay", 60_000L, "x-app-retry-not-before", "2026-07-01T12:00:03Z", "tenant", 7,
				"x-app-foreign", "f", "x-app-owner", "o".repeat(100_000)));
		headers.put("x-app-exception", List.of(Map.of("not", "ours")));
		this.owned.start(TestPolicy.order().build(), RetryAdviceTests::timeOut).deliver(headers);
		assertThat(this.owned.calls()).isZero();
		RecordingChannel.Published copy = this.owned.channel().published().get(0);
		assertThat(copy.routingKey())
			.isEqualTo(TestPolicy.order().build().topology().route(Duration.ofSeconds(3)).routingKey());
		assertThat(copy.headers()).containsEntry("x-app-retry-attempt", 2)
			.containsEntry("x-app-retry-reason", "RATE_LIMITED")
			.containsEntry("x-app-first-failure-at", "2026-07-01T11:59:00Z")
			.containsEntry("x-app-cumulative-delay", 60_000L)
			.containsEntry("x-app-retry-not-before", "2026-07-01T12:00:03Z")
			.containsEntry("tenant", 7)
			.doesNotContainKey("x-app-exception")
			.hasEntrySatisfying("x-app-foreign", (value) -> assertThat(value).hasToString("f"))
			.hasEntrySatisfying("x-app-owner", (value) -> assertThat(value.toString()).hasSizeLessThan(256));
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 1, "postponed", 1));
	}

	@Test
	void headersThatLeaveNoRoomParkTheMessage() {
		this.owned.start(TestPolicy.order().build(), RetryAdviceTests::timeOut)
			.deliver(Map.of("huge", "x".repeat(120_000)));
		RecordingChannel.Published copy = this.owned.channel().published().get(0);
		assertThat(copy.routingKey()).isEqualTo("order.parking-lot");
		assertThat(copy.headers()).containsEntry("x-app-dropped-headers", "huge").doesNotContainKey("huge");
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 1, "parked HEADERS_TOO_LARGE", 1));
	}

	@Test
	void aHeaderThatCanNotBePublishedAgainParksTheMessage() {
		String name = "\uFFFD".repeat(86);
		this.owned.start(TestPolicy.order().build(), RetryAdviceTests::timeOut).deliver(Map.of(name, "v"));
		RecordingChannel.Published copy = this.owned.channel().published().get(0);
		assertThat(copy.routingKey()).isEqualTo("order.parking-lot");
		assertThat(copy.headers()).doesNotContainKey(name)
			.containsEntry("x-app-failure-reason", "DOWNSTREAM_TIMEOUT")
			.hasEntrySatisfying("x-app-unpublishable",
					(moved) -> assertThat(moved).hasToString("[{header=%s, value=v}]".formatted(name)));
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 1, "parked UNPUBLISHABLE", 1));
	}

	@Test
	void aListenerThatAsksForItIsAcknowledged() {
		this.owned.start(TestPolicy.order().localAttempts(3).build(), (message) -> {
			throw new ImmediateAcknowledgeAmqpException("enough");
		}).deliver();
		assertThat(this.owned.calls()).isEqualTo(1);
		assertThat(this.owned.channel().settled()).containsExactly("ack");
		assertThat(this.owned.channel().published()).isEmpty();
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 1, "acknowledged", 1));
	}

	@Test
	void aQueueWithoutPolicyThatWasAddedLaterIsSettledAsSpringWould() {
		this.owned.start(TestPolicy.order().build(), (message) -> {
			if (message.getMessageProperties().getHeaders().containsKey("fail")) {
				timeOut(message);
			}
		});
		this.owned.deliver("another", Map.of());
		this.owned.deliver("another", Map.of("fail", true));
		assertThat(this.owned.channel().settled()).containsExactly("ack", "nack requeue");
		assertThat(this.owned.told()).isEmpty();
	}

	@Test
	void theEndOfAReplayedMessageIsTold() {
		Map<String, Object> replayed = Map.of("x-replay-id", "r-1", "x-replay-item", 7L);
		this.owned.start(TestPolicy.order().brokerAttempts(0).build(), (message) -> {
			if (this.owned.calls() > 1) {
				timeOut(message);
			}
		});
		this.owned.deliver(replayed);
		assertThat(this.owned.told()).containsEntry("replayed r-1/7 SUCCEEDED", 1);
		this.owned.deliver(replayed);
		assertThat(this.owned.told()).containsEntry("replayed r-1/7 PARKED_AGAIN", 1);
	}

	@Test
	void aReplayedMessageThatIsTriedAgainHasNoEndYet() {
		this.owned.start(TestPolicy.order().build(), RetryAdviceTests::timeOut)
			.deliver(Map.of("x-replay-id", "r-1", "x-replay-item", 7L));
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 1, "retried DOWNSTREAM_TIMEOUT", 1));
		assertThat(this.owned.channel().published().get(0).headers()).containsEntry("x-replay-item", 7L);
	}

	private static void timeOut(Object message) throws SocketTimeoutException {
		throw new SocketTimeoutException("read");
	}

}
