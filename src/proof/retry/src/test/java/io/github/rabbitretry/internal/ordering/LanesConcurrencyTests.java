/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.ordering;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LanesConcurrencyTests {

	@Test
	void tasksOfAKeyAreDoneOnceOneByOneAndInOrderWhileThreadsTakeStepsAndWakeLanes() {
		new ModelCheckingOptions().addCustomScenario(aStepThatBeginsAsItsLaneIsWoken())
			.iterations(6)
			.invocationsPerIteration(60)
			.threads(2)
			.actorsPerThread(3)
			.actorsBefore(3)
			.check(Operations.class);
	}

	private static ExecutionScenario aStepThatBeginsAsItsLaneIsWoken() {
		return new ExecutionScenario(List.of(actor("add")),
				List.of(List.of(actor("makeStep")), List.of(actor("endWait"))), List.of(), actor("allAreDone"));
	}

	private static Actor actor(String operation) {
		return new Actor(Stream.of(Operations.class.getMethods())
			.filter((method) -> method.getName().equals(operation))
			.findFirst()
			.orElseThrow(), List.of());
	}

	/**
	 * The messages of one key are delivered by one consumer. Any thread makes steps, and
	 * lanes are woken by any other. Each task waits once, until it is over.
	 */
	public static class Operations implements Lanes.Threads {

		private final List<Step> scheduled = new ArrayList<>();

		private final Lanes lanes = new Lanes(this);

		private final List<Task> tasks = new ArrayList<>();

		private final List<Task> done = new ArrayList<>();

		private volatile int over;

		private volatile @Nullable Task stepping;

		private volatile boolean together;

		@Operation(nonParallelGroup = "consumer")
		public void add() {
			Task task = new Task(this.tasks.size());
			this.tasks.add(task);
			this.lanes.add("key", task);
		}

		@Operation
		public void makeStep() {
			Runnable next = next();
			if (next != null) {
				next.run();
			}
		}

		@Operation(nonParallelGroup = "waker")
		public void endWait() {
			this.over++;
			this.lanes.wake();
		}

		@Validate
		public void allAreDone() {
			for (Runnable next = next(); next != null; next = next()) {
				next.run();
			}
			// no assertion library: its classes do not stand being watched
			if (this.together || !this.done.equals(this.tasks) || this.lanes.size() > 0) {
				throw new IllegalStateException("done %s of %s, together: %s, lanes: %d".formatted(this.done,
						this.tasks, this.together, this.lanes.size()));
			}
		}

		private @Nullable Runnable next() {
			synchronized (this.scheduled) {
				while (!this.scheduled.isEmpty()) {
					Step next = this.scheduled.remove(0);
					if (!next.taken.isCancelled()) {
						return next.step;
					}
				}
				return null;
			}
		}

		/** Due at once. To cancel what a thread has taken comes too late. */
		@Override
		public Future<?> schedule(Runnable step, long delay, TimeUnit unit) {
			Step next = new Step(step, new CompletableFuture<>());
			synchronized (this.scheduled) {
				this.scheduled.add(next);
			}
			return next.taken;
		}

		private record Step(Runnable step, Future<?> taken) {
		}

		private final class Task implements HeldTask {

			private final int number;

			private boolean waited;

			Task(int number) {
				this.number = number;
			}

			@Override
			public @Nullable Duration step() {
				Operations.this.together |= Operations.this.stepping != null;
				Operations.this.stepping = this;
				try {
					if (!this.waited && !over()) {
						this.waited = true;
						return Duration.ofSeconds(1);
					}
					Operations.this.done.add(this);
					return null;
				}
				finally {
					Operations.this.stepping = null;
				}
			}

			@Override
			public boolean over() {
				return Operations.this.over > this.number;
			}

			@Override
			public String toString() {
				return String.valueOf(this.number);
			}

		}

	}

}
