/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.policy;

import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.rabbitretry.internal.topology.DelayLadder;
import io.github.rabbitretry.internal.topology.DelayLevel;

/**
 * The delays of a policy's attempts.
 * <p>
 * A retry queue has one fixed time to live, so jitter is a wait of its own: each attempt
 * has one level, where its window begins, and a random part of the window is waited for
 * before. The window begins at the attempt's delay and is {@code jitter} times as long;
 * it never reaches beyond the longest delay allowed, and is moved down where it would.
 */
public final class DelayPlan {

	private final Backoff backoff;

	private final List<Window> byAttempt;

	private final Duration longest;

	private DelayPlan(Backoff backoff, List<Window> byAttempt, Duration longest) {
		this.backoff = backoff;
		this.longest = longest;
		this.byAttempt = byAttempt;
	}

	/**
	 * Plans the attempts.
	 * @param backoff the delay before each attempt
	 * @param attempts how many attempts, 0 or more
	 * @param jitter the window's length as a part of the delay, from 0 to 1
	 * @param longest the longest delay that jitter may lead to
	 * @return the plan
	 */
	public static DelayPlan of(Backoff backoff, int attempts, double jitter, Duration longest) {
		return new DelayPlan(backoff,
				IntStream.rangeClosed(1, attempts)
					.mapToObj((attempt) -> Window.of(backoff.before(attempt), jitter, longest))
					.toList(),
				longest);
	}

	/**
	 * All levels, shortest first.
	 * @return the levels
	 */
	public List<DelayLevel> levels() {
		return this.byAttempt.stream().map(Window::level).distinct().sorted().toList();
	}

	/**
	 * Whether any attempt waits for a random time.
	 * @return {@code false} if each has one delay
	 */
	public boolean jittered() {
		return this.byAttempt.stream().anyMatch((window) -> !window.jitter.isZero());
	}

	/**
	 * The longest delay of a message unless a longer one is requested.
	 * @return the longest delay allowed, or that of the longest level if it is longer
	 */
	public Duration longest() {
		return this.byAttempt.stream()
			.map((window) -> window.level.delay())
			.reduce(this.longest, (first, second) -> (first.compareTo(second) >= 0) ? first : second);
	}

	/**
	 * The level that an attempt uses.
	 * @param attempt from 1 to the number of attempts planned
	 * @return the level, which is the shortest delay too that the attempt may get
	 */
	public DelayLevel level(int attempt) {
		return this.byAttempt.get(attempt - 1).level;
	}

	/**
	 * The longest delay that an attempt may get.
	 * @param attempt from 1 to the number of attempts planned
	 * @return the delay
	 */
	public Duration longest(int attempt) {
		Window window = this.byAttempt.get(attempt - 1);
		return window.level.delay().plus(window.jitter);
	}

	/**
	 * The delays that an attempt may get.
	 * @param attempt from 1 to the number of attempts planned
	 * @return the delay, or the shortest and the longest if there is jitter
	 */
	public List<DelayLevel> bounds(int attempt) {
		return Stream.of(level(attempt), new DelayLevel(longest(attempt))).distinct().toList();
	}

	/**
	 * Draws the delay of an attempt.
	 * @param attempt from 1 to the number of attempts planned
	 * @param random where chance comes from
	 * @return a delay from that of {@link #level} to {@link #longest(int)}
	 */
	public Duration draw(int attempt, RandomGenerator random) {
		Window window = this.byAttempt.get(attempt - 1);
		Duration delay = window.level.delay();
		return window.jitter.isZero() ? delay : delay.plus(DelayLadder.draw(window.jitter, random));
	}

	/**
	 * The delay of a level, without jitter.
	 * @param level the attempt that it belongs to, from 1; there may be more levels than
	 * attempts planned
	 * @return the back-off's delay before that attempt
	 */
	public Duration delayOf(int level) {
		return this.backoff.before(level);
	}

	/**
	 * What an attempt may wait.
	 *
	 * @param level at least
	 * @param jitter and that much more at most
	 */
	private record Window(DelayLevel level, Duration jitter) {

		static Window of(Duration delay, double jitter, Duration longest) {
			if (jitter == 0) {
				return new Window(new DelayLevel(delay), Duration.ZERO);
			}
			double end = Math.min(delay.toMillis() * (1 + jitter), Math.max(delay.toMillis(), longest.toMillis()));
			double start = Math.min(delay.toMillis(), end / (1 + jitter));
			DelayLevel level = new DelayLevel(Duration.ofMillis(Math.max(1, Math.round(start))));
			Duration most = DelayLadder.longestDrawn(Duration.ofMillis(Math.round(end)).minus(level.delay()));
			// too short a window for a wait of its own is none
			return most.isZero() ? new Window(new DelayLevel(delay), Duration.ZERO) : new Window(level, most);
		}

	}

}
