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
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import ch.qos.logback.classic.Level;
import io.github.rabbitretry.handler.ReturnMessageException;
import io.github.rabbitretry.internal.failure.CapturedLog;
import io.github.rabbitretry.internal.ordering.OrderedHandling;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.policy.Ordering;
import io.github.rabbitretry.internal.policy.TestPolicy;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;

import static org.assertj.core.api.Assertions.assertThat;

class OrderedHandlingTests {

	private static final Duration SOON = Duration.ofMillis(5);

	private final ManagedTestListener owned = new ManagedTestListener();

	private final List<String> calls = new CopyOnWriteArrayList<>();

	private final CountDownLatch delivered = new CountDownLatch(1);

	private final List<Map<String, Object>> headers = new CopyOnWriteArrayList<>();

	@AfterEach
	void close() {
		this.owned.close();
	}

	@Test
	void aMessageThatFailedIsHandledAgainBeforeThoseBehindIt() {
		start(null);
		deliver("a", 2);
		deliver("b", 0);
		awaitAcknowledged(2);
		assertThat(this.calls).containsExactly("a", "a", "a", "b");
		assertThat(this.owned.channel().published()).isEmpty();
		assertThat(this.owned.told())
			.isEqualTo(Map.of("received", 4, "retried DOWNSTREAM_TIMEOUT", 2, "acknowledged", 2));
	}

	@Test
	void aMessageThatFailedHoldsThoseOfItsKeyOnly() {
		start("header:customer", Duration.ofMillis(300));
		deliver("a1", 3, "customer", "a");
		deliver("a2", 0, "customer", "a");
		deliver("b1", 0, "customer", "b");
		awaitAcknowledged(3);
		assertThat(this.calls).containsSubsequence("a1", "a1", "a1", "a1", "a2");
		assertThat(this.calls.indexOf("b1")).isLessThan(this.calls.lastIndexOf("a1"));
	}

	@Test
	void messagesWithoutAKeyAreHandledInOrderToo() {
		start("header:customer");
		deliver("a", 2);
		deliver("b", 0);
		awaitAcknowledged(2);
		assertThat(this.calls).containsExactly("a", "a", "a", "b");
	}

	@Test
	void theHandlerGetsTheHeadersOfACopyInTheRing() {
		start(null);
		deliver("a", 1);
		awaitAcknowledged(1);
		assertThat(this.headers.get(0)).doesNotContainKey("x-app-retry-attempt");
		assertThat(this.headers.get(1)).containsEntry("x-app-retry-attempt", 1)
			.containsEntry("x-app-retry-max", 3)
			.containsEntry("x-app-retry-reason", "DOWNSTREAM_TIMEOUT")
			.containsEntry("x-app-retry-delay", 1000L)
			.containsEntry("x-app-first-failure-at", "2026-07-01T12:00:00Z")
			.containsEntry("x-app-retry-history", "2026-07-01T12:00:00Z #1 DOWNSTREAM_TIMEOUT 1s worker")
			.containsEntry("x-app-origin-routing-key", "order.create")
			.containsEntry("name", "a");
	}

	@Test
	void whatAHandlerChangedIsNotWhatItGetsNext() {
		List<String> seen = new CopyOnWriteArrayList<>();
		this.owned.start(policy(null, SOON), (message) -> {
			MessageProperties properties = message.getMessageProperties();
			seen.add(properties.getHeader("name") + " " + properties.getContentType());
			properties.setHeader("name", "changed");
			properties.setContentType("text/changed");
			if (seen.size() < 3) {
				throw new SocketTimeoutException("read");
			}
		});
		deliver("a", 0);
		awaitAcknowledged(1);
		assertThat(seen).hasSize(3).containsOnly(seen.get(0)).first().asString().startsWith("a ");
	}

	@Test
	void theLastAttemptIsParkedAndThoseBehindItAreHandled() {
		start(null);
		deliver("a", 9);
		deliver("b", 0);
		awaitAcknowledged(2);
		assertThat(this.calls).containsExactly("a", "a", "a", "a", "b");
		RecordingChannel.Published parked = this.owned.channel().published().get(0);
		assertThat(parked.routingKey()).isEqualTo("order.parking-lot");
		assertThat(parked.headers()).containsEntry("x-app-retry-attempt", 3)
			.containsEntry("x-app-retry-reason", "RETRY_BUDGET_EXHAUSTED")
			.hasEntrySatisfying("x-app-retry-history",
					(history) -> assertThat(history.toString().split("; ")).hasSize(4));
		assertThat(this.owned.channel().settled()).containsExactly("ack", "ack");
	}

	@Test
	void aMessageThatIsReturnedStaysWhereItIs() {
		boolean[] returned = new boolean[1];
		this.owned.start(policy(null, SOON), (message) -> {
			this.calls.add(name(message));
			if (!returned[0]) {
				returned[0] = true;
				throw ReturnMessageException.because("NOT_HERE");
			}
		});
		deliver("a", 0);
		deliver("b", 0);
		awaitAcknowledged(2);
		assertThat(this.calls).containsExactly("a", "a", "b");
		assertThat(this.owned.channel().settled()).containsExactly("ack", "ack");
	}

	@Test
	void whatIsHeldTooLongGoesBackAllAtOnce() {
		this.owned.start(TestPolicy.order()
			.ordering(new Ordering(null, Duration.ofHours(1), Duration.ofHours(1), Duration.ofMillis(400), false))
			.build(), (message) -> {
				this.calls.add(name(message));
				throw new SocketTimeoutException("no answer");
			});
		deliver("a", 1);
		deliver("b", 0);
		Awaitility.await()
			.untilAsserted(() -> assertThat(this.owned.channel().settled()).isNotEmpty().containsOnly("close"));
		assertThat(this.calls).containsExactly("a");
	}

	/** Its thread is the only one of the lanes. */
	@Test
	void whatIsHeldTooLongGoesBackAlthoughAHandlerHangs() {
		CountDownLatch hangs = new CountDownLatch(1);
		this.owned.start(
				TestPolicy.order().ordering(new Ordering(null, SOON, SOON, Duration.ofMillis(400), false)).build(),
				(message) -> {
					this.calls.add(name(message));
					awaitQuietly(hangs);
				});
		deliver("a", 0);
		deliver("b", 0);
		Awaitility.await().untilAsserted(() -> assertThat(this.owned.channel().settled()).containsExactly("close"));
		assertThat(this.calls).containsExactly("a");
		hangs.countDown();
	}

	/** The broker waits for a quarter of that longer. */
	@Test
	void aHandlerThatRunsMayEndBeforeItsChannelIsClosed() {
		try (CapturedLog log = new CapturedLog(OrderedHandling.class.getName(), Level.WARN)) {
			this.owned.start(
					TestPolicy.order().ordering(new Ordering(null, SOON, SOON, Duration.ofSeconds(4), false)).build(),
					(message) -> {
						this.calls.add(name(message));
						Awaitility.await().until(() -> !log.lines().isEmpty());
					});
			deliver("a", 0);
			deliver("b", 0);
			Awaitility.await().untilAsserted(() -> assertThat(this.owned.channel().settled()).contains("close"));
			assertThat(log.lines()).singleElement().asString().contains("have waited for those before them");
		}
		assertThat(this.owned.channel().settled()).containsExactly("ack", "close");
		assertThat(this.calls).containsExactly("a");
	}

	@Test
	void aHeaderOfAnotherServiceDoesNotDecideTheLane() {
		CountDownLatch first = new CountDownLatch(1);
		this.owned.forwarded().start(policy("routing-key", SOON), (message) -> {
			this.calls.add(name(message));
			awaitQuietly(first);
		});
		deliver("a", 0);
		deliver("b", 0, "x-app-origin-routing-key", "other");
		assertThat(this.owned.configurer().orderedLanes("Order")).isEqualTo(1);
		first.countDown();
		awaitAcknowledged(2);
		assertThat(this.calls).containsExactly("a", "b");
	}

	/** Nothing behind it may be handled first. */
	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aMessageThatCanNotBeDecidedAboutIsGivenBackWithAllBehindIt(boolean blocks) {
		undecidable(blocks);
		deliver("a", 9);
		deliver("b", 0);
		this.delivered.countDown();
		Awaitility.await().untilAsserted(() -> assertThat(this.owned.channel().settled()).containsExactly("close"));
		assertThat(this.calls).containsExactly("a");
		assertThat(this.owned.channel().published()).isEmpty();
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 1, "returned", 1));
	}

	@Test
	void itIsParkedTheNextTime() {
		undecidable(false);
		this.delivered.countDown();
		this.owned.redeliver(Map.of("name", "a", "failures", 9));
		awaitAcknowledged(1);
		assertThat(this.owned.channel().settled()).containsExactly("ack");
		assertThat(this.owned.channel().published()).singleElement()
			.satisfies((parked) -> assertThat(parked.routingKey()).isEqualTo("order.parking-lot"));
	}

	/** Otherwise it could go round endlessly. */
	@Test
	void itIsParkedTheNextTimeAlsoIfItWasHandledMoreThanOnce() {
		undecidable(false, 2);
		this.delivered.countDown();
		this.owned.redeliver(Map.of("name", "a", "failures", 9));
		awaitAcknowledged(1);
		assertThat(this.calls).containsExactly("a", "a");
		assertThat(this.owned.channel().settled()).containsExactly("ack");
		assertThat(this.owned.channel().published()).singleElement()
			.satisfies((parked) -> assertThat(parked.routingKey()).isEqualTo("order.parking-lot"));
	}

	@Test
	void itEndsConsumingTheNextTimeWhereParkedMessagesBlock() {
		undecidable(true);
		this.owned.redeliver(Map.of("name", "a", "failures", 9));
		deliver("b", 0);
		this.delivered.countDown();
		Awaitility.await().until(() -> !this.owned.isRunning());
		assertThat(this.calls).containsExactly("a");
		assertThat(this.owned.channel().settled()).doesNotContain("reject", "ack");
		assertThat(this.owned.channel().published()).isEmpty();
	}

	private void undecidable(boolean blocks) {
		undecidable(blocks, 1);
	}

	/** Once, as where no memory is left. */
	private void undecidable(boolean blocks, int call) {
		AtomicBoolean thrown = new AtomicBoolean();
		this.owned.clock(() -> {
			if (this.calls.size() >= call && thrown.compareAndSet(false, true)) {
				throw new OutOfMemoryError("a test");
			}
			return ManagedTestListener.NOW;
		})
			.start(TestPolicy.order().ordering(new Ordering(null, SOON, SOON, Duration.ofMinutes(20), blocks)).build(),
					(message) -> {
						awaitQuietly(this.delivered);
						this.calls.add(name(message));
						if ((int) message.getMessageProperties().getHeader("failures") > 0) {
							throw new SocketTimeoutException("no answer");
						}
					});
	}

	@Test
	void thoseBehindAMessageWaitUntilItsCopyIsConfirmed() throws Exception {
		this.owned.channel().withholdConfirms();
		this.owned.start(policy(null, SOON), (message) -> {
			awaitQuietly(this.delivered);
			this.calls.add(name(message));
			if (name(message).equals("a")) {
				throw new IllegalArgumentException("no");
			}
		});
		deliver("a", 9);
		deliver("b", 0);
		this.delivered.countDown();
		Awaitility.await().until(() -> !this.owned.channel().published().isEmpty());
		assertThat(this.calls).doesNotContain("b");
		this.owned.channel().confirmAll();
		awaitAcknowledged(2);
		assertThat(this.calls).endsWith("b");
	}

	private static void awaitQuietly(CountDownLatch latch) {
		try {
			latch.await(20, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Test
	void aDelayThatSomebodyAsksForIsBounded() {
		start(null);
		deliver("a", 1);
		awaitAcknowledged(1);
		assertThat(this.headers.get(1)).containsEntry("x-app-retry-delay", 1000L);
	}

	private void start(@Nullable String key) {
		start(key, SOON);
	}

	private void start(@Nullable String key, Duration interval) {
		this.owned.start(policy(key, interval), (message) -> {
			this.calls.add(name(message));
			Map<String, Object> got = message.getMessageProperties().getHeaders();
			this.headers.add(Map.copyOf(got));
			int attempt = (got.get("x-app-retry-attempt") instanceof Integer number) ? number : 0;
			if (attempt < (int) got.get("failures")) {
				throw new SocketTimeoutException("no answer");
			}
		});
	}

	private static MessagePolicy policy(@Nullable String key, Duration interval) {
		return TestPolicy.order()
			.ordering(new Ordering(key, interval, interval, Duration.ofMinutes(20), false))
			.build();
	}

	private static String name(Message message) {
		return message.getMessageProperties().getHeader("name");
	}

	private void deliver(String name, int failures, String... more) {
		Map<String, Object> headers = new HashMap<>(Map.of("name", name, "failures", failures));
		if (more.length > 0) {
			headers.put(more[0], more[1]);
		}
		this.owned.deliver(headers);
	}

	private void awaitAcknowledged(int messages) {
		Awaitility.await()
			.pollInterval(Duration.ofMillis(5))
			.untilAsserted(() -> assertThat(this.owned.channel().acknowledged()).hasSize(messages));
	}

}
