/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.ordering;

import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * One thread whose time is counted, not waited for.
 */
final class VirtualThread implements Lanes.Threads {

	private final PriorityQueue<Step> steps = new PriorityQueue<>(
			Comparator.comparingLong(Step::at).thenComparingLong(Step::number));

	private long now;

	private long number;

	@Override
	public Future<?> schedule(Runnable step, long delay, TimeUnit unit) {
		CompletableFuture<Void> future = new CompletableFuture<>();
		this.steps.add(new Step(this.now + unit.toNanos(delay), this.number++, step, future));
		return future;
	}

	/** The step that runs takes this long. */
	void work(Duration time) {
		this.now += time.toNanos();
	}

	/** Runs all steps, and those that they schedule. */
	Duration run() {
		while (!this.steps.isEmpty()) {
			Step step = this.steps.remove();
			if (!step.future().isCancelled()) {
				this.now = Math.max(this.now, step.at());
				step.future().complete(null);
				step.task().run();
			}
		}
		return Duration.ofNanos(this.now);
	}

	private record Step(long at, long number, Runnable task, CompletableFuture<Void> future) {
	}

}
