/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

import ch.qos.logback.classic.Level;
import com.rabbitmq.client.AMQP.BasicProperties;
import io.github.rabbitretry.handler.ParkMessageException;
import io.github.rabbitretry.handler.RetryContext;
import io.github.rabbitretry.internal.failure.CapturedLog;
import io.github.rabbitretry.internal.health.HealthProblem;
import io.github.rabbitretry.internal.invocation.HandlerTimeout;
import io.github.rabbitretry.internal.invocation.HandlerTimeouts;
import io.github.rabbitretry.internal.message.ReceivedMessage;
import io.github.rabbitretry.internal.policy.HandlerTime;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.policy.TestPolicy;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.core.Message;

import static org.assertj.core.api.Assertions.assertThat;

class HandlerTimeoutTests {

	private static final HandlerTime SHORT = new HandlerTime(Duration.ofMillis(100), Duration.ofSeconds(2));

	private static final HandlerTime LONG = new HandlerTime(Duration.ofSeconds(20), Duration.ofSeconds(40));

	private final ManagedTestListener owned = new ManagedTestListener();

	@AfterEach
	void close() {
		assertThat(Thread.interrupted()).isFalse();
		this.owned.close();
	}

	@Test
	void aCallThatTakesTooLongIsInterruptedAndRetried() {
		this.owned.start(policy(1), HandlerTimeoutTests::hang).deliver();
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 1, "retried HANDLER_TIMEOUT", 1));
		assertThat(this.owned.channel().published().get(0).headers())
			.containsEntry("x-app-retry-reason", "HANDLER_TIMEOUT")
			.containsEntry("x-app-retry-class", "transient");
		assertThat(this.owned.channel().settled()).containsExactly("ack");
	}

	@Test
	void eachLocalAttemptHasItsOwnTime() {
		AtomicInteger calls = new AtomicInteger();
		// long enough for the call that does not hang
		HandlerTime time = new HandlerTime(Duration.ofMillis(500), Duration.ofSeconds(40));
		this.owned.start(TestPolicy.order().localAttempts(3).handlerTime(time).build(), (message) -> {
			assertThat(Thread.currentThread().isInterrupted()).isFalse();
			if (calls.incrementAndGet() < 3) {
				hang(message);
			}
		}).deliver();
		assertThat(calls).hasValue(3);
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 1, "acknowledged", 1));
	}

	@Test
	void whatItsTraceShowsIsWhereItHung() {
		this.owned.start(policy(1), HandlerTimeoutTests::hang)
			.deliver(Map.of("x-app-retry-attempt", 3, "x-app-first-failure-at", "2026-07-01T11:59:00Z"));
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 1, "parked RETRY_BUDGET_EXHAUSTED", 1));
		assertThat(this.owned.channel().published().get(0).headers())
			.containsEntry("x-app-failure-reason", "HANDLER_TIMEOUT")
			.containsEntry("x-app-exception",
					"io.github.rabbitretry.internal.handler.HandlerTimeoutException <- java.lang.InterruptedException")
			.containsEntry("x-app-exception-message",
					"handler-timeout PT0.1S of message policy 'Order' was exceeded, and the handler interrupted")
			.hasEntrySatisfying("x-app-exception-frames",
					(frames) -> assertThat(frames).asString().contains("HandlerTimeoutTests.hang"));
	}

	@Test
	void aHandlerThatGivesUpWithoutAFailureLosesNothing() {
		this.owned.start(policy(1), (message) -> {
			try {
				hang(message);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}).deliver();
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 1, "retried HANDLER_TIMEOUT", 1));
	}

	@Test
	void whatAHandlerAsksForAfterItsInterruptIsDone() {
		this.owned.start(policy(2), (message) -> {
			try {
				hang(message);
			}
			catch (InterruptedException ex) {
				throw ParkMessageException.because("TOO_LARGE").causedBy(ex);
			}
		}).deliver();
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 1, "parked TOO_LARGE", 1));
	}

	@Test
	void aHandlerCanExtendItsTime() {
		this.owned.start(
				TestPolicy.order().handlerTime(new HandlerTime(Duration.ofMillis(500), Duration.ofSeconds(60))).build(),
				(message) -> {
					RetryContext.current().orElseThrow().extendTimeout(Duration.ofSeconds(20));
					new CountDownLatch(1).await(800, TimeUnit.MILLISECONDS);
				})
			.deliver();
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 1, "acknowledged", 1));
	}

	@Test
	void noHandlerCanExtendItsTimeBeyondTheConsumerTimeout() {
		long begin = System.nanoTime();
		this.owned.start(policy(1), (message) -> {
			RetryContext.current().orElseThrow().extendTimeout(Duration.ofDays(1));
			hang(message);
		}).deliver();
		assertThat(Duration.ofNanos(System.nanoTime() - begin)).isBetween(Duration.ofSeconds(2),
				Duration.ofSeconds(10));
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 1, "retried HANDLER_TIMEOUT", 1));
	}

	@Test
	void aHandlerThatIgnoresItsInterruptIsReportedUntilItReturns() throws Exception {
		CountDownLatch enough = new CountDownLatch(1);
		this.owned.start(policy(1), (message) -> ignoreInterruptsUntil(enough));
		try (CapturedLog log = new CapturedLog(HandlerTimeout.class.getName(), Level.WARN)) {
			Thread consumer = new Thread(this.owned::deliver);
			consumer.start();
			Awaitility.await().until(() -> this.owned.configurer().overdueHandlers("Order") == 1);
			assertThat(this.owned.configurer().problems()).singleElement()
				.isEqualTo(new HealthProblem("handler-overdue", "Order",
						"handler calls still running after handler-timeout although they were interrupted: 1; the log shows their stack traces"));
			assertThat(this.owned.channel().published()).isEmpty();
			assertThat(this.owned.channel().settled()).isEmpty();
			Awaitility.await()
				.untilAsserted(() -> assertThat(log.traces(Level.WARN)).singleElement()
					.asString()
					.contains("HandlerTimeoutTests.ignoreInterruptsUntil("));
			enough.countDown();
			consumer.join();
			assertThat(log.lines()).first()
				.asString()
				.startsWith(
						"WARN The handler of 'Order' is still running PT0.1S after its handler-timeout (PT0.1S): it ignores the interrupt.");
			assertThat(log.lines()).anyMatch((line) -> line
				.startsWith("WARN The handler of 'Order' that ignored its interrupt has returned PT"));
		}
		assertThat(this.owned.configurer().problems()).isEmpty();
		assertThat(this.owned.configurer().overdueHandlers("Order")).isZero();
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 1, "retried HANDLER_TIMEOUT", 1));
	}

	@Test
	void aRedeliveredMessageWaitsForTheEarlierCallOfItsHandler() throws Exception {
		CountDownLatch enough = new CountDownLatch(1);
		AtomicInteger calls = new AtomicInteger();
		this.owned.start(policy(1), (message) -> {
			if (calls.incrementAndGet() == 1) {
				ignoreInterruptsUntil(enough);
			}
		});
		Thread consumer = new Thread(this.owned::deliver);
		consumer.start();
		Awaitility.await().until(() -> this.owned.configurer().overdueHandlers("Order") == 1);
		Thread other = new Thread(() -> this.owned.redeliver(Map.of()));
		other.start();
		Awaitility.await().until(() -> other.getState() == Thread.State.TIMED_WAITING);
		assertThat(calls).hasValue(1);
		enough.countDown();
		consumer.join();
		other.join();
		assertThat(calls).hasValue(2);
	}

	@Test
	void aRedeliveredMessageWaitsBetweenLocalAttemptsToo() throws Exception {
		CountDownLatch fail = new CountDownLatch(1);
		Concurrency concurrency = new Concurrency();
		this.owned.start(
				TestPolicy.order().localAttempts(2).localDelay(Duration.ofMillis(200)).handlerTime(LONG).build(),
				(message) -> concurrency.during((call) -> {
					if (call == 1) {
						fail.await();
						throw new SocketTimeoutException("read");
					}
					new CountDownLatch(1).await(300, TimeUnit.MILLISECONDS);
				}));
		Thread first = deliver(this.owned::deliver);
		Awaitility.await().until(() -> concurrency.calls() == 1);
		Thread second = deliver(() -> this.owned.redeliver(Map.of()));
		Awaitility.await().until(() -> second.getState() == Thread.State.TIMED_WAITING);
		fail.countDown();
		first.join();
		second.join();
		assertThat(concurrency.calls()).isEqualTo(3);
		assertThat(concurrency.most()).isEqualTo(1);
	}

	@Test
	void severalRedeliveriesOfAMessageAreHandledOneAfterTheOther() throws Exception {
		CountDownLatch enough = new CountDownLatch(1);
		Concurrency concurrency = new Concurrency();
		this.owned.start(TestPolicy.order().handlerTime(LONG).build(), (message) -> concurrency.during((call) -> {
			if (call == 1) {
				enough.await();
			}
			new CountDownLatch(1).await(100, TimeUnit.MILLISECONDS);
		}));
		List<Thread> threads = new ArrayList<>(List.of(deliver(this.owned::deliver)));
		Awaitility.await().until(() -> concurrency.calls() == 1);
		for (int redelivery = 0; redelivery < 3; redelivery++) {
			Thread thread = deliver(() -> this.owned.redeliver(Map.of()));
			threads.add(thread);
			Awaitility.await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
		}
		enough.countDown();
		for (Thread thread : threads) {
			thread.join();
		}
		assertThat(concurrency.calls()).isEqualTo(4);
		assertThat(concurrency.most()).isEqualTo(1);
	}

	/** Or one that was delivered before would never find a moment without any. */
	@Test
	void equalMessagesWaitWhileARedeliveredOneDoes() throws Exception {
		CountDownLatch enough = new CountDownLatch(1);
		Concurrency concurrency = new Concurrency();
		this.owned.start(TestPolicy.order().handlerTime(LONG).build(), (message) -> concurrency.during((call) -> {
			if (call == 1) {
				enough.await();
			}
		}));
		Thread first = deliver(this.owned::deliver);
		Awaitility.await().until(() -> concurrency.calls() == 1);
		Thread redelivered = deliver(() -> this.owned.redeliver(Map.of()));
		Awaitility.await().until(() -> redelivered.getState() == Thread.State.TIMED_WAITING);
		Thread newcomer = deliver(this.owned::deliver);
		Awaitility.await().until(() -> newcomer.getState() == Thread.State.TIMED_WAITING);
		assertThat(concurrency.calls()).isEqualTo(1);
		enough.countDown();
		for (Thread thread : List.of(first, redelivered, newcomer)) {
			thread.join();
		}
		assertThat(concurrency.calls()).isEqualTo(3);
	}

	/** They are equal by chance, and one handler that never returns would hold up all. */
	@Test
	void newMessagesWithoutAnIdWaitForNoRedeliveredOne() {
		HandlerTimeout timeout = new HandlerTimeout("Order", LONG);
		assertThat(timeout.turn(tick(null), false).take()).isTrue();
		assertThat(timeout.turn(tick(null), true).take()).isFalse();
		assertThat(timeout.turn(tick(null), false).take()).isTrue();
		assertThat(timeout.turn(tick("m-1"), false).take()).isTrue();
		assertThat(timeout.turn(tick("m-1"), true).take()).isFalse();
		assertThat(timeout.turn(tick("m-1"), false).take()).isFalse();
	}

	private static ReceivedMessage tick(@Nullable String id) {
		BasicProperties properties = new BasicProperties.Builder().messageId(id).build();
		return new ReceivedMessage(properties, "{}".getBytes(StandardCharsets.UTF_8), "", "order", "order");
	}

	@Test
	void aMessageIsKnownAlthoughItsHandlerHasChangedTheBody() throws Exception {
		CountDownLatch enough = new CountDownLatch(1);
		Concurrency concurrency = new Concurrency();
		this.owned.start(TestPolicy.order().handlerTime(LONG).build(), (message) -> concurrency.during((call) -> {
			Arrays.fill(message.getBody(), (byte) call);
			if (call == 1) {
				enough.await();
			}
		}));
		Thread first = deliver(this.owned::deliver);
		Awaitility.await().until(() -> concurrency.calls() == 1);
		Thread redelivered = deliver(() -> this.owned.redeliver(Map.of()));
		Awaitility.await().until(() -> redelivered.getState() == Thread.State.TIMED_WAITING);
		assertThat(concurrency.calls()).isEqualTo(1);
		enough.countDown();
		first.join();
		redelivered.join();
		assertThat(concurrency.most()).isEqualTo(1);
	}

	/** A producer may send the same again and again, such as an empty body without id. */
	@Test
	void equalMessagesThatAreNotRedeliveredDoNotWaitForEachOther() throws Exception {
		CountDownLatch together = new CountDownLatch(2);
		this.owned.start(TestPolicy.order().handlerTime(LONG).build(), (message) -> {
			together.countDown();
			together.await();
		});
		Thread first = deliver(this.owned::deliver);
		Thread second = deliver(this.owned::deliver);
		first.join();
		second.join();
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 2, "acknowledged", 2));
	}

	@Test
	void withoutATimeoutThereIsNoThreadForIt() {
		Set<Thread> before = threads();
		HandlerTimeouts timeouts = new HandlerTimeouts();
		assertThat(timeouts.of(TestPolicy.order().build())).isNull();
		Set<Thread> more = new HashSet<>(threads());
		more.removeAll(before);
		assertThat(more).isEmpty();
		assertThat(timeouts.of(policy(1))).isNotNull().isSameAs(timeouts.of(policy(1)));
		assertThat(threads()).hasSizeGreaterThan(before.size() - 1);
		timeouts.close();
	}

	private static Thread deliver(Runnable delivery) {
		Thread thread = new Thread(delivery);
		thread.start();
		return thread;
	}

	private static Set<Thread> threads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().equals("rabbit-retry-timeout"))
			.collect(Collectors.toSet());
	}

	private static MessagePolicy policy(int localAttempts) {
		return TestPolicy.order().localAttempts(localAttempts).handlerTime(SHORT).build();
	}

	private static void hang(Message message) throws InterruptedException {
		new CountDownLatch(1).await();
	}

	private static void ignoreInterruptsUntil(CountDownLatch enough) {
		while (enough.getCount() > 0) {
			Thread.onSpinWait();
		}
	}

	/** How many calls there are, and are at a time. */
	private static final class Concurrency {

		private final AtomicInteger calls = new AtomicInteger();

		private final AtomicInteger running = new AtomicInteger();

		private final AtomicInteger most = new AtomicInteger();

		void during(Handler handler) throws Exception {
			this.most.accumulateAndGet(this.running.incrementAndGet(), Math::max);
			try {
				handler.handle(this.calls.incrementAndGet());
			}
			finally {
				this.running.decrementAndGet();
			}
		}

		int calls() {
			return this.calls.get();
		}

		int most() {
			return this.most.get();
		}

		interface Handler {

			void handle(int call) throws Exception;

		}

	}

}
