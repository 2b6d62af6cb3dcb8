/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.github.rabbitretry.handler.DiscardMessageException;
import io.github.rabbitretry.internal.metrics.RecordedAttempts;
import io.github.rabbitretry.internal.policy.Deduplication;
import io.github.rabbitretry.internal.policy.DeduplicationStore;
import io.github.rabbitretry.internal.policy.Ordering;
import io.github.rabbitretry.internal.policy.TestPolicy;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a container's observation says of an attempt.
 */
class ObservedAttemptsTests {

	private final RecordedAttempts recorded = new RecordedAttempts();

	private final ManagedTestListener owned = new ManagedTestListener().observations(this.recorded.registry());

	private @Nullable Exception failure = new SocketTimeoutException("no answer");

	@AfterEach
	void close() {
		this.owned.close();
	}

	@Test
	void aFailedAttemptIsAnErrorWithAttemptReasonAndDelay() {
		start(TestPolicy.order());
		this.owned.deliver();
		RecordedAttempts.Attempt attempt = only();
		assertThat(attempt.error()).hasRootCauseInstanceOf(SocketTimeoutException.class);
		assertThat(attempt.values()).isEqualTo(Map.of("message.type", "Order", "attempt", "0", "outcome", "retried",
				"reason", "DOWNSTREAM_TIMEOUT", "class", "transient", "delay", "PT1S"));
	}

	@Test
	void theLastAttemptIsAnErrorThatSaysWhyTheMessageIsParked() {
		start(TestPolicy.order());
		this.owned.deliver(Map.of("x-app-retry-attempt", 3));
		RecordedAttempts.Attempt attempt = only();
		assertThat(attempt.error()).isNotNull();
		assertThat(attempt.values()).containsEntry("attempt", "3")
			.containsEntry("outcome", "parked")
			.containsEntry("reason", "RETRY_BUDGET_EXHAUSTED")
			.containsEntry("failure.reason", "DOWNSTREAM_TIMEOUT");
	}

	@Test
	void aSuccessIsNoErrorAndSaysWhichAttemptItWas() {
		start(TestPolicy.order());
		this.failure = null;
		this.owned.deliver(Map.of("x-app-retry-attempt", 2));
		RecordedAttempts.Attempt attempt = only();
		assertThat(attempt.error()).isNull();
		assertThat(attempt.values()).isEqualTo(Map.of("message.type", "Order", "attempt", "2"));
	}

	@Test
	void aSuccessAtOnceHasNothingOfOurs() {
		start(TestPolicy.order());
		this.failure = null;
		this.owned.deliver();
		assertThat(only().values()).isEmpty();
	}

	@Test
	void eachAttemptOfAMessageThatIsKeptInOrderIsObserved() {
		Duration soon = Duration.ofMillis(5);
		start(TestPolicy.order().ordering(new Ordering(null, soon, soon, Duration.ofMinutes(20), false)));
		this.owned.deliver();
		Awaitility.await().until(() -> this.recorded.attempts().size() == 4);
		assertThat(this.recorded.attempts()).extracting((attempt) -> attempt.values().get("attempt"))
			.containsExactly("0", "1", "2", "3");
		assertThat(this.recorded.attempts()).extracting((attempt) -> attempt.values().get("outcome"))
			.containsExactly("retried", "retried", "retried", "parked");
		assertThat(this.recorded.attempts())
			.allSatisfy((attempt) -> assertThat(attempt.error()).hasRootCauseInstanceOf(SocketTimeoutException.class));
	}

	/** Such as a propagator that casts a header of a foreign producer. */
	@Test
	void aMessageWhoseObservationCannotBeginIsHandledAllTheSame() {
		Duration soon = Duration.ofMillis(5);
		ObservationRegistry registry = ObservationRegistry.create();
		registry.observationConfig().observationHandler((ObservationHandler<Observation.Context>) (context) -> {
			throw new ClassCastException("a header");
		});
		try (ManagedTestListener broken = new ManagedTestListener().observations(registry)) {
			broken.start(
					TestPolicy.order().ordering(new Ordering(null, soon, soon, Duration.ofMinutes(20), false)).build(),
					(message) -> {
					});
			broken.deliver();
			Awaitility.await()
				.untilAsserted(() -> assertThat(broken.told()).isEqualTo(Map.of("received", 1, "acknowledged", 1)));
		}
	}

	@Test
	void localAttemptsAreEventsOfTheDelivery() {
		start(TestPolicy.order().localAttempts(3));
		this.owned.deliver();
		assertThat(only().events()).containsExactly("local attempt failed: DOWNSTREAM_TIMEOUT",
				"local attempt failed: DOWNSTREAM_TIMEOUT");
	}

	@Test
	void whatTheHandlerDiscardsIsNoError() {
		start(TestPolicy.order());
		this.failure = DiscardMessageException.asStale();
		this.owned.deliver();
		assertThat(only().error()).isNull();
		assertThat(only().values()).containsEntry("outcome", "discarded").containsEntry("reason", "STALE_COMMAND");
	}

	@Test
	void aDuplicateIsNoErrorAndSaysSo() {
		start(TestPolicy.order()
			.deduplication(new Deduplication(DeduplicationStore.IN_MEMORY, Duration.ofMinutes(1), 10)));
		this.failure = null;
		this.owned.deliver();
		this.owned.deliver();
		assertThat(this.recorded.attempts().get(1).values())
			.isEqualTo(Map.of("message.type", "Order", "outcome", "duplicate"));
	}

	@Test
	void theTimerHasTheSameTagsWhateverTheOutcome() {
		start(TestPolicy.order());
		this.owned.deliver();
		this.failure = null;
		this.owned.deliver();
		List<RecordedAttempts.Attempt> attempts = this.recorded.attempts();
		assertThat(attempts.get(0).timerTags()).isEqualTo(attempts.get(1).timerTags());
	}

	@Test
	void anObservationHandlerThatThrowsDecidesNothing() {
		this.recorded.registry().observationConfig().observationHandler(new ThrowingHandler());
		start(TestPolicy.order()
			.localAttempts(2)
			.deduplication(new Deduplication(DeduplicationStore.IN_MEMORY, Duration.ofMinutes(1), 10)));
		this.owned.deliver();
		this.failure = null;
		this.owned.deliver(Map.of("x-app-retry-attempt", 1));
		this.owned.deliver();
		assertThat(this.owned.calls()).isEqualTo(3);
		assertThat(this.owned.told())
			.isEqualTo(Map.of("received", 3, "retried DOWNSTREAM_TIMEOUT", 1, "acknowledged", 2, "duplicate", 1));
	}

	private RecordedAttempts.Attempt only() {
		assertThat(this.recorded.attempts()).hasSize(1);
		return this.recorded.attempts().get(0);
	}

	private static final class ThrowingHandler implements ObservationHandler<Observation.Context> {

		@Override
		public void onError(Observation.Context context) {
			throw new IllegalStateException("an observation handler's own failure");
		}

		@Override
		public void onEvent(Observation.Event event, Observation.Context context) {
			throw new StackOverflowError();
		}

		@Override
		public boolean supportsContext(Observation.Context context) {
			return true;
		}

	}

	private void start(TestPolicy policy) {
		this.owned.start(policy.build(), (message) -> {
			if (this.failure != null) {
				throw this.failure;
			}
		});
	}

}
