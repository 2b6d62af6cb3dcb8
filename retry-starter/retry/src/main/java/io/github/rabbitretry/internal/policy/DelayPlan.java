/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.policy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

import io.github.rabbitretry.internal.topology.DelayLevel;

/**
 * The delay levels that a policy's attempts use.
 * <p>
 * A retry queue has one fixed time to live, so jitter can't be a random number: each
 * attempt has three levels instead, at the start, in the middle and at the end of its
 * window, and one of them is drawn. The window begins at the attempt's delay and is
 * {@code jitter} times as long; it never reaches beyond the longest delay allowed, and is
 * moved down where it would.
 */
public final class DelayPlan {

	private final Backoff backoff;

	private final List<List<DelayLevel>> byAttempt;

	private final TreeSet<DelayLevel> levels = new TreeSet<>();

	private final Duration longest;

	private DelayPlan(Backoff backoff, List<List<DelayLevel>> byAttempt, Duration longest) {
		this.backoff = backoff;
		this.longest = longest;
		this.byAttempt = byAttempt;
		byAttempt.forEach(this.levels::addAll);
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
		List<List<DelayLevel>> byAttempt = new ArrayList<>();
		for (int attempt = 1; attempt <= attempts; attempt++) {
			List<DelayLevel> window = window(backoff.before(attempt), jitter, longest);
			if (!byAttempt.isEmpty() && byAttempt.get(byAttempt.size() - 1).equals(window)) {
				window = byAttempt.get(byAttempt.size() - 1);
			}
			byAttempt.add(window);
		}
		return new DelayPlan(backoff, byAttempt, longest);
	}

	private static List<DelayLevel> window(Duration delay, double jitter, Duration longest) {
		if (jitter == 0) {
			return List.of(new DelayLevel(delay));
		}
		double end = Math.min(delay.toMillis() * (1 + jitter), Math.max(delay.toMillis(), longest.toMillis()));
		double start = Math.min(delay.toMillis(), end / (1 + jitter));
		TreeSet<DelayLevel> window = new TreeSet<>();
		for (double part : new double[] { 0, 0.5, 1 }) {
			window.add(new DelayLevel(Duration.ofMillis(Math.max(1, Math.round(start + part * (end - start))))));
		}
		return List.copyOf(window);
	}

	/**
	 * All levels, shortest first.
	 * @return the levels
	 */
	public List<DelayLevel> levels() {
		return List.copyOf(this.levels);
	}

	/**
	 * The longest delay that a message is made to wait unless somebody asks for more.
	 * @return the longest delay allowed, or that of the longest level if it is longer
	 */
	public Duration longest() {
		return (!this.levels.isEmpty() && this.levels.last().delay().compareTo(this.longest) > 0)
				? this.levels.last().delay() : this.longest;
	}

	/**
	 * The levels that an attempt may use.
	 * @param attempt from 1 to the number of attempts planned
	 * @return the levels, shortest first
	 */
	public List<DelayLevel> levels(int attempt) {
		return this.byAttempt.get(attempt - 1);
	}

	/**
	 * The longest delay that an attempt may get.
	 * @param attempt from 1 to the number of attempts planned
	 * @return the delay
	 */
	public Duration longest(int attempt) {
		List<DelayLevel> window = levels(attempt);
		return window.get(window.size() - 1).delay();
	}

	/**
	 * Draws the level of an attempt.
	 * @param attempt from 1 to the number of attempts planned
	 * @param random where chance comes from
	 * @return one of {@link #levels(int)}
	 */
	public DelayLevel draw(int attempt, RandomGenerator random) {
		List<DelayLevel> window = levels(attempt);
		return (window.size() == 1) ? window.get(0) : window.get(random.nextInt(window.size()));
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

}
