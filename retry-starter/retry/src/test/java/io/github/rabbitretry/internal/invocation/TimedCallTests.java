/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.invocation;

import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;

import io.github.rabbitretry.internal.handler.HandlerTimeoutException;
import io.github.rabbitretry.internal.policy.HandlerTime;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

class TimedCallTests {

	private final HandlerTimeout limit = new HandlerTimeout("Order",
			new HandlerTime(Duration.ofSeconds(1), Duration.ofSeconds(10)));

	@AfterEach
	void nothingIsLeftOnTheThread() {
		assertThat(Thread.interrupted()).isFalse();
		assertThat(TimedCall.current()).isNull();
	}

	/**
	 * Of a call that may take 10, extended to 30 at most, and 5 after its interrupt. Its
	 * first end says whether it was late, which an error handler may answer.
	 */
	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "end | in time", "look 9, end | in time", "look 10, end | interrupted, late",
			"look 9, look 10, end | interrupted, late", "end, look 10 | in time", "end, look 99 | in time",
			"end, end | in time", "look 10, end, end | interrupted, in time", "extend 5, look 14, end | in time",
			"extend 5, look 15, end | interrupted, late", "extend 5, extend 5, look 19, end | in time",
			"extend 0, look 10, end | interrupted, late", "extend 99, look 29, end | in time",
			"extend 99, look 30, end | interrupted, late", "extend 99, extend 99, look 30, end | interrupted, late",
			"look 10, extend 5, end | interrupted, late", "end, extend 5, look 99 | in time",
			"look 10, look 14, end | interrupted, late", "look 10, look 15, end | interrupted, reported, late",
			"look 10, look 15, look 99, end | interrupted, reported, late",
			"look 10, look 12, look 15, end, look 99 | interrupted, reported, late" })
	void itsStepsLeadWhereTheyShould(String steps, String outcome) {
		TimedCall call = new TimedCall(this.limit, 10, 30, 1_000);
		StringBuilder seen = new StringBuilder();
		for (String step : steps.split(", ")) {
			String[] words = step.split(" ");
			long number = (words.length > 1) ? Long.parseLong(words[1]) : 0;
			switch (words[0]) {
				case "look" -> {
					boolean before = Thread.currentThread().isInterrupted();
					boolean reported = call.look(1_000 + number, 5);
					seen.append((!before && Thread.currentThread().isInterrupted()) ? "interrupted, " : "")
						.append(reported ? "reported, " : "");
				}
				case "extend" -> call.extend(Duration.ofNanos(number));
				default -> {
					@Nullable Throwable thrown = catchThrowable(call::returned);
					assertThat(Thread.currentThread().isInterrupted()).isFalse();
					seen.setLength(seen.toString().replaceAll("(in time|late)$", "").length());
					seen.append((thrown instanceof HandlerTimeoutException) ? "late" : "in time");
				}
			}
		}
		assertThat(seen).hasToString(outcome);
	}

	@Test
	void whatACallThatTookTooLongThrewIsTheCause() {
		TimedCall call = new TimedCall(this.limit, 10, 30, 1_000);
		call.look(2_000, 5);
		InterruptedException thrown = new InterruptedException();
		assertThatThrownBy(() -> call.failed(thrown)).isInstanceOf(HandlerTimeoutException.class)
			.hasCause(thrown)
			.hasMessage("handler-timeout PT1S of message policy 'Order' was exceeded, and the handler interrupted");
	}

	@Test
	void whatSaysThatAlreadyAndErrorsAreThrownAsTheyAre() {
		TimedCall call = new TimedCall(this.limit, 10, 30, 1_000);
		call.look(2_000, 5);
		IllegalStateException wrapped = new IllegalStateException(this.limit.exceeded(null));
		assertThat(call.failed(wrapped)).isSameAs(wrapped);
		StackOverflowError error = new StackOverflowError();
		assertThat(call.failed(error)).isSameAs(error);
	}

	@Test
	void aFailureInTimeIsThrownAsItIs() {
		IllegalStateException failure = new IllegalStateException();
		assertThat(new TimedCall(this.limit, 10, 30, 1_000).failed(failure)).isSameAs(failure);
	}

	@Test
	void anExtensionIsNeverTooLongForTheClock() {
		TimedCall call = new TimedCall(this.limit, 10, 30, 1_000);
		call.extend(Duration.ofSeconds(Long.MAX_VALUE));
		assertThat(call.look(1_029, 5)).isFalse();
		call.returned();
	}

	@Test
	void anInterruptComesBeforeTheEndOrNotAtAll() throws Exception {
		AtomicReference<@Nullable TimedCall> running = new AtomicReference<>();
		Thread looker = new Thread(() -> {
			while (!Thread.currentThread().isInterrupted()) {
				TimedCall call = running.get();
				if (call != null) {
					call.look(Long.MAX_VALUE / 2, 1);
				}
			}
		});
		looker.start();
		Random random = new Random(13);
		int late = 0;
		try {
			for (int number = 0; number < 300_000; number++) {
				TimedCall call = new TimedCall(this.limit, 10, 30, 0);
				running.set(call);
				int work = random.nextInt(200);
				for (int turn = 0; turn < work; turn++) {
					Thread.onSpinWait();
				}
				boolean timedOut = catchThrowable(call::returned) != null;
				late += timedOut ? 1 : 0;
				assertThat(Thread.currentThread().isInterrupted()).isFalse();
				assertThat(call.timedOut()).isEqualTo(timedOut);
			}
		}
		finally {
			looker.interrupt();
			looker.join();
		}
		assertThat(late).isBetween(1, 300_000);
	}

}
