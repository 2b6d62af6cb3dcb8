/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.decision;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.rabbitretry.internal.policy.RetryRatio;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * {@code retry-ratio}, under a virtual clock.
 */
class RetryRatioLimiterTests {

	private static final Duration WINDOW = Duration.ofMinutes(1);

	private long now = -WINDOW.toNanos() / 2;

	@ParameterizedTest
	@CsvSource({ "0.1, 1, 0, 1", "0.1, 1, 100, 10", "0.1, 10, 99, 10", "0.1, 10, 110, 11", "1.0, 1, 7, 7",
			"0.5, 3, 4, 3", "0.001, 1, 5000, 5" })
	void retriesAreAPartOfFirstDeliveriesOrAtLeast(double max, int atLeast, int firsts, int allowed) {
		RetryRatioLimiter ratioLimiter = ratioLimiter(max, atLeast);
		for (int i = 0; i < firsts; i++) {
			ratioLimiter.firstDelivery();
		}
		assertThat(taken(ratioLimiter)).isEqualTo(allowed);
	}

	@Test
	void whatTheWindowHasLeftBehindCountsNoMore() {
		RetryRatioLimiter ratioLimiter = ratioLimiter(0.5, 1);
		for (int i = 0; i < 20; i++) {
			ratioLimiter.firstDelivery();
		}
		assertThat(taken(ratioLimiter)).isEqualTo(10);
		this.now += WINDOW.toNanos() + WINDOW.toNanos() / 30;
		assertThat(taken(ratioLimiter)).isEqualTo(1);
	}

	@Test
	void aQuietWeekChangesNothing() {
		RetryRatioLimiter ratioLimiter = ratioLimiter(0.5, 1);
		ratioLimiter.firstDelivery();
		taken(ratioLimiter);
		this.now += Duration.ofDays(7).toNanos();
		assertThat(taken(ratioLimiter)).isEqualTo(1);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 20 })
	void aRetryThatSucceedsCostsNothing(int firsts) {
		RetryRatioLimiter ratioLimiter = ratioLimiter(0.5, 3);
		for (int i = 0; i < firsts; i++) {
			ratioLimiter.firstDelivery();
		}
		for (int i = 0; i < 10_000; i++) {
			assertThat(ratioLimiter.take()).isTrue();
			ratioLimiter.succeeded();
		}
		assertThat(taken(ratioLimiter)).as("those that fail").isEqualTo(Math.max(3, firsts / 2));
		ratioLimiter.succeeded();
		assertThat(taken(ratioLimiter)).isEqualTo(1);
		this.now += WINDOW.toNanos() * 2;
		assertThat(taken(ratioLimiter)).as("it may be down again").isEqualTo(3);
	}

	@Test
	void aRetryThatTookLongCostsNothingEither() {
		RetryRatioLimiter ratioLimiter = ratioLimiter(0.5, 3);
		assertThat(taken(ratioLimiter)).isEqualTo(3);
		this.now += WINDOW.toNanos() / 2;
		ratioLimiter.succeeded();
		assertThat(taken(ratioLimiter)).isEqualTo(1);
	}

	/** 50 messages a second, three minutes down: 9,000 wait, and all would succeed. */
	@Test
	void afterARepairTheBacklogReturnsWithinMinutes() {
		RetryRatioLimiter ratioLimiter = ratioLimiter(0.1, 10);
		long second = Duration.ofSeconds(1).toNanos();
		long repaired = this.now + 180 * second;
		PriorityQueue<Long> waiting = new PriorityQueue<>();
		do {
			for (int i = 0; i < 50; i++) {
				ratioLimiter.firstDelivery();
				if (this.now < repaired) {
					waiting.add(this.now + second);
				}
			}
			while (!waiting.isEmpty() && waiting.element() <= this.now) {
				waiting.remove();
				if (!ratioLimiter.take()) {
					waiting.add(this.now + ratioLimiter.place().toNanos());
				}
				else if (this.now < repaired) {
					waiting.add(this.now + second);
				}
				else {
					ratioLimiter.succeeded();
				}
			}
			this.now += second;
		}
		while (!waiting.isEmpty());
		assertThat(Duration.ofNanos(this.now - repaired)).isLessThan(Duration.ofMinutes(3));
	}

	@Test
	void placesAreTwiceAsCloseAsRetriesAreAllowedAndNoneIsFartherThanAWindow() {
		RetryRatioLimiter ratioLimiter = ratioLimiter(0.5, 3);
		assertThat(ratioLimiter.place()).hasSeconds(10);
		assertThat(ratioLimiter.place()).hasSeconds(20);
		this.now += Duration.ofSeconds(15).toNanos();
		assertThat(ratioLimiter.place()).hasSeconds(15);
		for (int i = 0; i < 20; i++) {
			ratioLimiter.firstDelivery();
		}
		assertThat(ratioLimiter.place()).hasSeconds(18);
		for (int i = 0; i < 100; i++) {
			assertThat(ratioLimiter.place()).isLessThanOrEqualTo(WINDOW);
		}
		this.now += WINDOW.toNanos();
		assertThat(ratioLimiter.place()).as("after a window").hasSeconds(10);
	}

	/**
	 * Random traffic and outages: messages that fail come back after a second, those that
	 * are refused at their place.
	 */
	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 })
	void allMessagesAreHandledAndNoWindowHasMoreFailedRetriesThanItMay(long seed) {
		Random random = new Random(seed);
		double max = 0.01 + random.nextDouble() * 0.5;
		int atLeast = 1 + random.nextInt(20);
		RetryRatioLimiter ratioLimiter = ratioLimiter(max, atLeast);
		Deque<Long> firsts = new ArrayDeque<>();
		Deque<Long> retries = new ArrayDeque<>();
		PriorityQueue<Long> waiting = new PriorityQueue<>();
		long begin = this.now;
		long arrivesUntil = begin + WINDOW.toNanos() * 3;
		long[] outage = { begin + random.nextLong(WINDOW.toNanos()), begin + random.nextLong(WINDOW.toNanos() * 5) };
		long arrival = begin;
		int refused = 0;
		while (arrival < arrivesUntil || !waiting.isEmpty()) {
			boolean first = waiting.isEmpty() || (arrival < arrivesUntil && arrival < waiting.element());
			this.now = first ? arrival : waiting.remove();
			boolean down = this.now >= outage[0] && this.now < outage[1];
			forget(firsts);
			forget(retries);
			if (first) {
				ratioLimiter.firstDelivery();
				firsts.add(this.now);
				arrival += 1 + (long) (random.nextDouble() * random.nextDouble() * WINDOW.toNanos() / 50);
			}
			else if (ratioLimiter.take()) {
				retries.add(this.now);
				assertThat(retries.size()).as("at %d of seed %d", this.now - begin, seed)
					.isLessThanOrEqualTo((int) Math.max(atLeast, max * firsts.size()));
				if (!down) {
					ratioLimiter.succeeded();
					retries.removeLast();
				}
			}
			else {
				waiting.add(this.now + ratioLimiter.place().toNanos());
				refused++;
				continue;
			}
			if (down) {
				waiting.add(this.now + Duration.ofSeconds(1).toNanos());
			}
		}
		Duration rest = Duration.ofNanos(this.now - Math.max(outage[1], arrivesUntil));
		assertThat(rest).as("seed %d", seed).isLessThan(WINDOW.multipliedBy(2 + 300 / atLeast));
		assertThat(refused).isLessThan(20_000);
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 })
	void inNoWindowThatEndsWithARetryAreThereMoreThanTheRatioSays(long seed) {
		Random random = new Random(seed);
		double max = 0.01 + random.nextDouble() * 0.99;
		int atLeast = 1 + random.nextInt(20);
		RetryRatioLimiter ratioLimiter = ratioLimiter(max, atLeast);
		Deque<Long> firsts = new ArrayDeque<>();
		Deque<Long> retries = new ArrayDeque<>();
		int refused = 0;
		for (int event = 0; event < 20_000; event++) {
			this.now += (long) (random.nextDouble() * random.nextDouble() * WINDOW.toNanos() / 50);
			forget(firsts);
			forget(retries);
			if (random.nextInt(3) > 0) {
				ratioLimiter.firstDelivery();
				firsts.add(this.now);
			}
			else if (ratioLimiter.take()) {
				retries.add(this.now);
				assertThat(retries.size()).as("event %d of seed %d", event, seed)
					.isLessThanOrEqualTo((int) Math.max(atLeast, max * firsts.size()));
			}
			else {
				refused++;
				// the parts at the window's ends are cut, no more than that
				assertThat(retries.size()).as("refused event %d of seed %d", event, seed)
					.isGreaterThanOrEqualTo((int) (0.5 * Math.max(1, Math.min(atLeast, max * firsts.size()))));
			}
		}
		assertThat(retries.size() + refused).isPositive();
	}

	@Test
	void concurrentDeliveriesAreAllCountedAndNoRetryIsTakenTwice() throws InterruptedException {
		RetryRatioLimiter ratioLimiter = ratioLimiter(0.1, 1);
		AtomicInteger taken = new AtomicInteger();
		CountDownLatch counted = new CountDownLatch(4);
		Thread[] threads = new Thread[4];
		for (int i = 0; i < threads.length; i++) {
			threads[i] = new Thread(() -> {
				for (int j = 0; j < 10_000; j++) {
					ratioLimiter.firstDelivery();
				}
				counted.countDown();
				awaitUnchecked(counted);
				taken.addAndGet(taken(ratioLimiter));
			});
			threads[i].start();
		}
		for (Thread thread : threads) {
			thread.join();
		}
		assertThat(taken.get()).isEqualTo(4_000);
	}

	private RetryRatioLimiter ratioLimiter(double max, int atLeast) {
		return new RetryRatioLimiter(new RetryRatio(max, WINDOW, atLeast), () -> this.now);
	}

	private void forget(Deque<Long> times) {
		while (!times.isEmpty() && times.peek() <= this.now - WINDOW.toNanos()) {
			times.remove();
		}
	}

	private static int taken(RetryRatioLimiter ratioLimiter) {
		int taken = 0;
		while (ratioLimiter.take()) {
			taken++;
		}
		return taken;
	}

	private static void awaitUnchecked(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
