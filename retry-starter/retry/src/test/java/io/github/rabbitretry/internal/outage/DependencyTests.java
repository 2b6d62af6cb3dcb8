/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.outage;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.rabbitretry.event.DeliveryListener;
import io.github.rabbitretry.event.DeliveryListener.Outage;
import io.github.rabbitretry.internal.policy.OutageSettings;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * When listeners are paused and started again.
 */
class DependencyTests {

	private static final Set<String> REASONS = Set.of("DOWNSTREAM_TIMEOUT");

	private static final OutageSettings SETTINGS = new OutageSettings("gateway", REASONS, 0.5, 2, Duration.ofMillis(20),
			Duration.ofMillis(20), 1, false);

	private final List<String> told = new CopyOnWriteArrayList<>();

	private volatile boolean paused;

	private volatile int clockErrors;

	private volatile boolean eventErrors;

	private final Dependency dependency = new Dependency(SETTINGS, List.of("Order"), Duration.ofMillis(200),
			new DeliveryListener() {

				@Override
				public void outageBegan(Outage outage) {
					if (DependencyTests.this.eventErrors) {
						throw new OutOfMemoryError("while telling");
					}
				}

			}, this::now, DependencyTests::thread);

	DependencyTests() {
		this.dependency.add(new Recording("first"));
		this.dependency.add(new Recording("second"));
	}

	@AfterEach
	void close() {
		this.dependency.close();
	}

	@Test
	void pausesProbesAndResumes() {
		failTwice();
		await("first probes", "second probes");
		try (CircuitCall call = probe()) {
			call.succeeded();
		}
		await("first resumes", "second resumes");
		assertThat(this.told.subList(0, 2)).containsExactlyInAnyOrder("first pauses", "second pauses");
	}

	@Test
	void aProbeThatNeverEndsIsFollowedByAnother() {
		failTwice();
		CircuitCall hanging = probe();
		try (CircuitCall next = probe()) {
			assertThat(next).isNotSameAs(hanging);
			next.succeeded();
		}
		await("first resumes", "second resumes");
	}

	/** Nothing else would ever begin the outage, and no call be let through. */
	@Test
	void anErrorAsTheCircuitOpensDoesNotKeepItOpenForGood() {
		this.clockErrors = 1;
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(this::failTwice);
		assertThat(this.dependency.circuit().open()).isTrue();
		this.dependency.awake();
		try (CircuitCall call = probe()) {
			call.succeeded();
		}
		await("first resumes", "second resumes");
	}

	@Test
	void aListenerOfOutagesThatFailsDoesNotKeepTheCircuitOpen() {
		this.eventErrors = true;
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(this::failTwice);
		try (CircuitCall call = probe()) {
			call.succeeded();
		}
		await("first resumes", "second resumes");
	}

	@Test
	void whatIsPausedThoughTheCircuitIsClosedIsResumed() {
		this.paused = true;
		this.dependency.awake();
		await("first resumes", "second resumes");
	}

	private Instant now() {
		if (this.clockErrors > 0) {
			this.clockErrors--;
			throw new OutOfMemoryError("a test");
		}
		return Instant.now();
	}

	private void failTwice() {
		for (int i = 0; i < 2; i++) {
			try (CircuitCall call = this.dependency.circuit().tryCall(REASONS)) {
				assertThat(call).isNotNull();
				call.failed("DOWNSTREAM_TIMEOUT");
			}
		}
	}

	private CircuitCall probe() {
		return Awaitility.await().until(() -> this.dependency.circuit().tryCall(REASONS), (call) -> call != null);
	}

	private void await(String... what) {
		Awaitility.await().untilAsserted(() -> assertThat(this.told).contains(what));
	}

	private static Thread thread(Runnable task) {
		Thread thread = new Thread(task);
		thread.setDaemon(true);
		return thread;
	}

	private final class Recording implements PausableListener {

		private final String name;

		private Recording(String name) {
			this.name = name;
		}

		@Override
		public void pause() {
			DependencyTests.this.told.add(this.name + " pauses");
		}

		@Override
		public void probe() {
			DependencyTests.this.told.add(this.name + " probes");
		}

		@Override
		public boolean paused() {
			return DependencyTests.this.paused;
		}

		@Override
		public void resume() {
			DependencyTests.this.told.add(this.name + " resumes");
		}

	}

}
