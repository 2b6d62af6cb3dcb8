/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.failure;

import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import ch.qos.logback.classic.Level;
import com.rabbitmq.client.AMQP.BasicProperties;
import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.decision.Decision;
import io.github.rabbitretry.internal.classify.FailureFingerprint;
import io.github.rabbitretry.internal.delivery.Delivery;
import io.github.rabbitretry.internal.delivery.TestDelivery;
import io.github.rabbitretry.internal.message.DeliveryHistory;
import io.github.rabbitretry.internal.message.ReceivedMessage;
import io.github.rabbitretry.internal.policy.ExceptionTexts;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.policy.TestPolicy;
import io.github.rabbitretry.topology.Usage;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.amqp.listener.ListenerExecutionFailedException;

import static org.assertj.core.api.Assertions.assertThat;

class FailureLogTests {

	private static final Instant NOW = Instant.parse("2026-07-01T12:00:00Z");

	private static final Decision.Park EXHAUSTED = new Decision.Park("RETRY_BUDGET_EXHAUSTED", FailureClass.TRANSIENT,
			"DOWNSTREAM_TIMEOUT");

	private static final Decision.Retry RETRY = new Decision.Retry(2, 2, Duration.ofSeconds(30), "DOWNSTREAM_TIMEOUT",
			FailureClass.TRANSIENT);

	private final MessagePolicy policy = TestPolicy.order().build();

	private final CapturedLog captured = new CapturedLog(Level.DEBUG);

	private FailureLog log = new FailureLog();

	@AfterEach
	void close() {
		this.log.close();
		this.captured.close();
	}

	@Test
	void aParkedMessageIsWarnedOfWithExceptionIdAttemptAndDestination() {
		Exception failure = new IllegalStateException("no answer", new SocketTimeoutException("Read timed out"));
		park("{}", new ListenerExecutionFailedException("wrapped", failure));
		assertThat(this.captured.lines()).containsExactly(
				"WARN Message 'm-1' of Order parked in 'order.parking-lot' at attempt 4 of 4: RETRY_BUDGET_EXHAUSTED"
						+ " after DOWNSTREAM_TIMEOUT (transient), java.net.SocketTimeoutException 'Read timed out',"
						+ " owner 'team-orders', fingerprint " + FailureFingerprint.of(failure, "Order"));
		assertThat(this.captured.traces(Level.WARN)).singleElement()
			.asString()
			.startsWith("java.lang.IllegalStateException: no answer")
			.contains("at " + FailureLogTests.class.getName() + ".aParkedMessage")
			.contains("Caused by: java.net.SocketTimeoutException: Read timed out");
	}

	@Test
	void aMessageThatWasNotHandledIsWarnedOfWithoutAnException() {
		park("{}", null);
		assertThat(this.captured.lines()).singleElement().asString().startsWith("WARN Message 'm-1' of Order parked");
		assertThat(this.captured.traces(Level.WARN)).containsExactly("");
	}

	@Test
	void aRetriedMessageIsOneLineWithTheNextDelayAndItsTraceAtDebug() {
		retry(new SocketTimeoutException("Read timed out"));
		assertThat(this.captured.lines()).hasSize(2)
			.allSatisfy((line) -> assertThat(line)
				.contains("Message 'm-1' of Order retried in 30s after attempt 4 of 4: DOWNSTREAM_TIMEOUT (transient),"
						+ " java.net.SocketTimeoutException 'Read timed out'"));
		assertThat(this.captured.traces(Level.INFO)).containsExactly("");
		assertThat(this.captured.traces(Level.DEBUG)).singleElement()
			.asString()
			.startsWith("java.net.SocketTimeoutException: Read timed out")
			.contains("at " + FailureLogTests.class.getName());
	}

	@Test
	void eachAttemptOfAMessageIsALine() {
		for (int attempt = 0; attempt < 3; attempt++) {
			this.log.retried(TestDelivery.of(this.policy, received("{}"), history(attempt),
					new SocketTimeoutException("Read timed out"), NOW), RETRY);
		}
		assertThat(this.captured.lines()).filteredOn((line) -> line.startsWith("INFO"))
			.extracting((line) -> line.replaceAll(".* after (attempt . of .): .*", "$1"))
			.containsExactly("attempt 1 of 4", "attempt 2 of 4", "attempt 3 of 4");
	}

	@Test
	void ofEqualFailuresTenAreLoggedAndThenTheirNumber() {
		this.log.close();
		this.log = new FailureLog(Duration.ofSeconds(3));
		for (int index = 0; index < 313; index++) {
			park("{\"id\":%d}".formatted(index), new IllegalStateException("no answer"));
		}
		Awaitility.await().untilAsserted(() -> assertThat(this.captured.lines()).hasSize(11));
		assertThat(this.captured.lines().get(10)).startsWith(
				"WARN 303 more in the last minute: Order parked, RETRY_BUDGET_EXHAUSTED after DOWNSTREAM_TIMEOUT,"
						+ " java.lang.IllegalStateException, fingerprint ");
	}

	@Test
	void otherFailuresAreNotHiddenByAFlood() {
		for (int index = 0; index < 20; index++) {
			park("{}", new IllegalStateException("no answer"));
		}
		park("{}", new IllegalArgumentException("bad"));
		retry(new IllegalStateException("no answer"));
		assertThat(this.captured.lines()).hasSize(10 + 1 + 2);
	}

	@Test
	void theStackTraceOfAFailureIsNotReadUnlessItsMessageIsParked() {
		try (CapturedLog info = new CapturedLog(Level.INFO)) {
			retry(new Unread());
			this.log.ended(delivery(new Unread()), "discarded", "STALE");
			assertThat(Unread.reads).hasValue(0);
			assertThat(info.lines()).hasSize(2).noneMatch((line) -> line.contains("fingerprint"));
			park("{}", new Unread());
			assertThat(Unread.reads).hasPositiveValue();
		}
	}

	@Test
	void retriedFailuresOfOneClassAreSummedUp() {
		for (int index = 0; index < 20; index++) {
			retry(new IllegalStateException("no answer"));
		}
		this.log.close();
		assertThat(this.captured.lines()).last()
			.asString()
			.isEqualTo("INFO 10 more in the last minute: Order retried, DOWNSTREAM_TIMEOUT,"
					+ " java.lang.IllegalStateException");
	}

	@Test
	void whatWasCountedIsLoggedAtTheEnd() {
		for (int index = 0; index < 12; index++) {
			park("{}", new IllegalStateException("no answer"));
		}
		this.log.close();
		assertThat(this.captured.lines()).hasSize(11).last().asString().startsWith("WARN 2 more");
	}

	@Test
	void ofAnExceptionWhoseTextIsNotShownClassAndFingerprintAreLogged() {
		MessagePolicy policy = TestPolicy.order().exceptionTexts(ExceptionTexts.NONE).build();
		Exception failure = new IllegalStateException("card 4111-1111 refused",
				new IllegalArgumentException("4111-1111 has no such month"));
		failure.addSuppressed(new IllegalStateException("closed while 4111-1111 was open"));
		Delivery delivery = TestDelivery.of(policy, received("{}"), history(3), failure, NOW);
		this.log.parked(delivery, EXHAUSTED);
		this.log.blocks(delivery, EXHAUSTED);
		this.log.retried(delivery, RETRY);
		this.log.ended(delivery, "discarded", "STALE");
		assertThat(this.captured.lines()).hasSize(4)
			.allSatisfy((line) -> assertThat(line).contains(", java.lang.IllegalArgumentException, owner")
				.doesNotContain("4111"));
		assertThat(this.captured.lines().get(0)).endsWith(", fingerprint " + FailureFingerprint.of(failure, "Order"));
		for (Level level : List.of(Level.WARN, Level.INFO, Level.DEBUG)) {
			assertThat(this.captured.traces(level)).allSatisfy((trace) -> assertThat(trace).isEmpty());
		}
	}

	@Test
	void aProducerCannotWriteLinesOfItsOwn() {
		park("{}", new IllegalStateException("a\r\n2026-07-01 INFO all is well\u2028"));
		assertThat(this.captured.lines()).singleElement().asString().doesNotContain("\n", "\r", "\u2028");
		assertThat(this.captured.traces(Level.WARN)).singleElement()
			.asString()
			.contains("java.lang.IllegalStateException: a??2026-07-01 INFO all is well?");
	}

	@ParameterizedTest
	@MethodSource("io.github.rabbitretry.internal.classify.HostileThrowables#all")
	void whateverAHandlerThrowsIsLoggedAndEnds(Supplier<Throwable> failure) {
		park("{\"id\":\"closed\"}", failure.get());
		assertThat(this.captured.traces(Level.WARN)).singleElement().asString().contains("at ");
	}

	@Test
	void anExceptionThatHasNoTextToGiveIsLogged() {
		park("{}", new IllegalStateException() {

			@Override
			public String getMessage() {
				throw new UnsupportedOperationException();
			}

			@Override
			public StackTraceElement[] getStackTrace() {
				return new StackTraceElement[0];
			}

		});
		assertThat(this.captured.lines()).singleElement().asString().contains("FailureLogTests$");
	}

	@Test
	void theTextsOfTheMessageAreQuoted() {
		MessagePolicy policy = TestPolicy.named("Order").owner("a\nb").build();
		ReceivedMessage received = new ReceivedMessage(new BasicProperties.Builder().messageId("m\n1").build(),
				new byte[0], "", "", "");
		this.log.ended(TestDelivery.of(policy, received, history(0), new IllegalStateException("late"), NOW),
				"discarded", "STALE");
		assertThat(this.captured.lines().get(0))
			.startsWith("INFO Message 'm?1' of Order discarded at attempt 1 of 4: STALE, ")
			.contains("owner 'a?b'");
	}

	private void park(String body, @Nullable Throwable failure) {
		this.log.parked(TestDelivery.of(this.policy, received(body), history(3), failure, NOW), EXHAUSTED);
	}

	private void retry(Throwable failure) {
		this.log.retried(TestDelivery.of(this.policy, received("{}"), history(3), failure, NOW), RETRY);
	}

	private Delivery delivery(Throwable failure) {
		return TestDelivery.of(this.policy, received("{}"), history(3), failure, NOW);
	}

	private static ReceivedMessage received(String body) {
		return new ReceivedMessage(new BasicProperties.Builder().messageId("m-1").build(),
				body.getBytes(StandardCharsets.UTF_8), "", "order", "order");
	}

	private static DeliveryHistory history(int attempt) {
		return new DeliveryHistory(attempt, NOW, null, Duration.ZERO, attempt, Usage.NONE, null, List.of());
	}

	private static final class Unread extends RuntimeException {

		private static final AtomicInteger reads = new AtomicInteger();

		@Override
		public StackTraceElement[] getStackTrace() {
			reads.incrementAndGet();
			return super.getStackTrace();
		}

	}

}
