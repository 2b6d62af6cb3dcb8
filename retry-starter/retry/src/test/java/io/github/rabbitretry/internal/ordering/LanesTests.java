/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.ordering;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class LanesTests {

	private final VirtualThread thread = new VirtualThread();

	private final Lanes lanes = new Lanes(this.thread);

	private final List<String> done = new ArrayList<>();

	@Test
	void tasksOfOneKeyAreDoneInTheOrderInWhichTheyCame() {
		this.lanes.add("a", task("a1", 3));
		this.lanes.add("a", task("a2", 0));
		this.lanes.add("a", task("a3", 1));
		this.thread.run();
		assertThat(this.done).containsExactly("a1", "a2", "a3");
	}

	@Test
	void aTaskThatWaitsHoldsNoOtherKey() {
		this.lanes.add("a", task("a1", 1));
		this.lanes.add("a", task("a2", 0));
		this.lanes.add("b", task("b1", 0));
		this.thread.run();
		assertThat(this.done).containsExactly("b1", "a1", "a2");
	}

	@Test
	void aLaneExistsForAsLongAsItHasTasks() {
		this.lanes.add("a", task("a1", 1));
		this.lanes.add("b", task("b1", 0));
		assertThat(this.lanes.size()).isEqualTo(2);
		this.thread.run();
		assertThat(this.lanes.size()).isZero();
	}

	@Test
	void aTaskThatFailsIsDoneAgainBeforeThoseBehindIt() {
		int[] calls = new int[1];
		this.lanes.add("a", new HeldTask() {

			@Override
			public @Nullable Duration step() {
				if (calls[0]++ == 0) {
					throw new LinkageError("a defect");
				}
				LanesTests.this.done.add("a1");
				return null;
			}

			@Override
			public boolean over() {
				return false;
			}

		});
		this.lanes.add("a", task("a2", 0));
		this.thread.run();
		assertThat(this.done).containsExactly("a1", "a2");
	}

	/** Its channel closes while it is handled, before it waits. */
	@Test
	void aTaskThatIsOverByTheEndOfItsStepDoesNotWaitForItsTime() {
		boolean[] over = new boolean[1];
		this.lanes.add("a", new HeldTask() {

			@Override
			public @Nullable Duration step() {
				if (over[0]) {
					return null;
				}
				over[0] = true;
				LanesTests.this.lanes.wake();
				return Duration.ofHours(1);
			}

			@Override
			public boolean over() {
				return over[0];
			}

		});
		this.lanes.add("a", task("a2", 0));
		assertThat(this.thread.run()).isLessThan(Duration.ofHours(1));
		assertThat(this.done).containsExactly("a2");
	}

	@Test
	void aLaneThatCouldNotBeScheduledIsWokenUp() {
		boolean[] full = { true };
		Lanes without = new Lanes((step, delay, unit) -> {
			if (full[0]) {
				throw new OutOfMemoryError("a test");
			}
			return this.thread.schedule(step, delay, unit);
		});
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> without.add("a", task("a1", 0)));
		full[0] = false;
		without.add("a", task("a2", 0));
		without.wake();
		this.thread.run();
		assertThat(this.done).containsExactly("a1", "a2");
		assertThat(without.size()).isZero();
	}

	@Test
	void aLaneWhoseTaskIsOverDoesNotWaitForItsTime() {
		boolean[] over = new boolean[1];
		this.lanes.add("a", new HeldTask() {

			@Override
			public @Nullable Duration step() {
				LanesTests.this.thread.schedule(() -> {
					over[0] = true;
					LanesTests.this.lanes.wake();
				}, 0, TimeUnit.SECONDS);
				return over[0] ? null : Duration.ofHours(1);
			}

			@Override
			public boolean over() {
				return over[0];
			}

		});
		this.lanes.add("a", task("a2", 0));
		assertThat(this.thread.run()).isLessThan(Duration.ofHours(1));
		assertThat(this.done).containsExactly("a2");
	}

	@Test
	void orderByKeyHasAtLeastTwentyTimesTheThroughputOfOrderByQueue() {
		Duration byQueue = handle(5000, 1, 1);
		Duration byKey = handle(5000, 100, 250);
		System.out.printf("5,000 messages, 10 %% fail 1 to 3 times, 1 s apart, one thread: %s by queue, %s by key%n",
				byQueue, byKey);
		assertThat(byQueue).isGreaterThan(byKey.multipliedBy(20));
	}

	/** A tenth of a millisecond for each call; a message that failed waits a second. */
	private static Duration handle(int messages, int keys, int prefetch) {
		VirtualThread thread = new VirtualThread();
		Lanes lanes = new Lanes(thread);
		Queue<Integer> ready = new ArrayDeque<>();
		Random random = new Random(42);
		for (int i = 0; i < messages; i++) {
			ready.add((i % 10 == 0) ? 1 + random.nextInt(3) : 0);
		}
		for (int i = 0; i < prefetch; i++) {
			deliver(lanes, thread, ready, random, keys);
		}
		Duration time = thread.run();
		assertThat(ready).isEmpty();
		return time;
	}

	private static void deliver(Lanes lanes, VirtualThread thread, Queue<Integer> ready, Random random, int keys) {
		Integer failures = ready.poll();
		if (failures == null) {
			return;
		}
		lanes.add("key-" + random.nextInt(keys), new HeldTask() {

			private int calls;

			@Override
			public @Nullable Duration step() {
				thread.work(Duration.ofNanos(100_000));
				if (this.calls++ < failures) {
					return Duration.ofSeconds(1);
				}
				deliver(lanes, thread, ready, random, keys);
				return null;
			}

			@Override
			public boolean over() {
				return false;
			}

		});
	}

	private HeldTask task(String name, int failures) {
		return new HeldTask() {

			private int calls;

			@Override
			public @Nullable Duration step() {
				if (this.calls++ < failures) {
					return Duration.ofSeconds(1);
				}
				LanesTests.this.done.add(name);
				return null;
			}

			@Override
			public boolean over() {
				return false;
			}

		};
	}

	/**
	 * Messages of a broker that returns what is not settled in order, each time that a
	 * channel is lost.
	 */
	@Nested
	class WhenChannelsAreLostAtRandom {

		private static final int MESSAGES = 400;

		private static final int KEYS = 5;

		private final long seed = new Random().nextLong();

		private final Random random = new Random(this.seed);

		private final ScheduledThreadPoolExecutor threads = new ScheduledThreadPoolExecutor(4);

		private final Lanes pool = new Lanes(this.threads::schedule);

		private final Map<Integer, String> unsettled = new TreeMap<>();

		private final Map<String, Integer> last = new HashMap<>();

		private final Set<String> running = new HashSet<>();

		private final List<String> wrong = new ArrayList<>();

		/** Read by lanes, under their lock. */
		private volatile int channel;

		@RepeatedTest(5)
		void noKeyIsHandledTwiceAtOnceAndNoneSkipsAMessage() {
			synchronized (this) {
				for (int i = 0; i < MESSAGES; i++) {
					this.unsettled.put(i, "key-" + this.random.nextInt(KEYS));
				}
			}
			for (int loss = 0; loss < 20 && left() > 0; loss++) {
				lose();
				int before = left();
				Awaitility.await().pollInterval(Duration.ofMillis(1)).until(() -> left() < before || left() == 0);
			}
			Awaitility.await().until(() -> left() == 0 && this.pool.size() == 0);
			this.threads.shutdownNow();
			assertThat(this.wrong).as("seed %d", this.seed).isEmpty();
		}

		private synchronized int left() {
			return this.unsettled.size();
		}

		/** All that is not settled comes again, through another channel. */
		private void lose() {
			synchronized (this) {
				this.channel++;
				this.unsettled.forEach((number, key) -> this.pool.add(key, new Message(number, key, this.channel)));
			}
			this.pool.wake();
		}

		private synchronized @Nullable Duration begin(Message message) {
			if (message.from != this.channel) {
				return null;
			}
			if (!this.running.add(message.key)) {
				this.wrong.add("two of %s at once".formatted(message.key));
			}
			boolean skipped = this.unsettled.entrySet()
				.stream()
				.anyMatch((other) -> other.getKey() < message.number && other.getValue().equals(message.key));
			if (skipped) {
				this.wrong.add("%d of %s came too early".formatted(message.number, message.key));
			}
			return Duration.ZERO;
		}

		private synchronized @Nullable Duration end(Message message) {
			this.running.remove(message.key);
			int draw = this.random.nextInt(10);
			if (draw < 3) {
				return Duration.ofNanos(this.random.nextInt(500_000));
			}
			if (message.from == this.channel) {
				this.unsettled.remove(message.number);
				this.last.put(message.key, message.number);
			}
			return null;
		}

		private final class Message implements HeldTask {

			private final int number;

			private final String key;

			private final int from;

			Message(int number, String key, int from) {
				this.number = number;
				this.key = key;
				this.from = from;
			}

			@Override
			public @Nullable Duration step() {
				if (begin(this) == null) {
					return null;
				}
				Thread.yield();
				return end(this);
			}

			@Override
			public boolean over() {
				return this.from != WhenChannelsAreLostAtRandom.this.channel;
			}

		}

	}

}
