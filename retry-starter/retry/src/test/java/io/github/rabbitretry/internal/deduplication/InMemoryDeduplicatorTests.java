/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.deduplication;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.deduplication.MessageDeduplicator;
import io.github.rabbitretry.handler.DiscardMessageException;
import io.github.rabbitretry.handler.ParkMessageException;
import io.github.rabbitretry.handler.RejectMessageException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.amqp.ImmediateAcknowledgeAmqpException;
import org.springframework.amqp.listener.ListenerExecutionFailedException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class InMemoryDeduplicatorTests {

	private static final String QUEUE = "order";

	private long now = Long.MAX_VALUE - 1;

	private final List<String> handled = new ArrayList<>();

	private final InMemoryDeduplicator deduplicator = new InMemoryDeduplicator(Duration.ofMinutes(1), 3,
			Duration.ofSeconds(10), () -> this.now);

	@Test
	void aHandledMessageIsNotHandledAgain() throws Throwable {
		assertThat(handle("m-1")).isTrue();
		assertThat(handle("m-1")).isFalse();
		assertThat(this.handled).containsExactly("m-1");
	}

	@Test
	void aMessageWhoseHandlerFailedIsHandledAgain() throws Throwable {
		assertThatIllegalStateException().isThrownBy(() -> this.deduplicator.handle(QUEUE, "m-1", () -> {
			throw new IllegalStateException("failed");
		})).withMessage("failed");
		assertThat(handle("m-1")).isTrue();
	}

	@ParameterizedTest
	@MethodSource
	void aMessageThatItsHandlerEndedIsNotHandledAgainUnlessAnEventIsToBePublished(Exception end, boolean again)
			throws Throwable {
		assertThatException().isThrownBy(() -> this.deduplicator.handle(QUEUE, "m-1", () -> {
			throw new ListenerExecutionFailedException("as Spring AMQP does", end);
		}));
		assertThat(handle("m-1")).isEqualTo(again);
	}

	static Stream<Arguments> aMessageThatItsHandlerEndedIsNotHandledAgainUnlessAnEventIsToBePublished() {
		return Stream.of(Arguments.of(DiscardMessageException.asStale(), false),
				Arguments.of(new ImmediateAcknowledgeAmqpException("enough"), false),
				Arguments.of(RejectMessageException.because("QUOTE_EXPIRED"), true),
				Arguments.of(ParkMessageException.because("QUOTE_EXPIRED"), true),
				Arguments.of(new IOException("no"), true));
	}

	@Test
	void aMessageIsForgottenAfterTheRetention() throws Throwable {
		handle("m-1");
		this.now += Duration.ofSeconds(59).toNanos();
		assertThat(handle("m-1")).isFalse();
		this.now += Duration.ofSeconds(1).toNanos();
		assertThat(handle("m-1")).isTrue();
		this.now += Duration.ofSeconds(59).toNanos();
		assertThat(handle("m-1")).as("since it was handled last").isFalse();
	}

	@Test
	void theOldestIsForgottenOnceThereAreTooMany() throws Throwable {
		for (String message : List.of("m-1", "m-2", "m-3", "m-4")) {
			handle(message);
		}
		assertThat(handle("m-2")).isFalse();
		assertThat(handle("m-4")).isFalse();
		assertThat(handle("m-1")).isTrue();
	}

	@Test
	void theSameMessageWaitsUntilAnotherThreadHasHandledIt() throws Throwable {
		CountDownLatch ends = new CountDownLatch(1);
		CompletableFuture<Boolean> first = handling("m-1", ends);
		CompletableFuture<Boolean> second = CompletableFuture.supplyAsync(() -> handle("m-1"));
		assertThat(handle("m-2")).as("another one meanwhile").isTrue();
		assertThat(second).isNotDone();
		ends.countDown();
		assertThat(first).succeedsWithin(Duration.ofSeconds(10)).isEqualTo(true);
		assertThat(second).succeedsWithin(Duration.ofSeconds(10)).isEqualTo(false);
	}

	@Test
	void aMessageThatIsHandledForLongFailsAsContention() throws Throwable {
		InMemoryDeduplicator impatient = new InMemoryDeduplicator(Duration.ofMinutes(1), 3, Duration.ofMillis(20),
				() -> this.now);
		impatient.handle(QUEUE, "m-1", () -> assertThatExceptionOfType(MessageInProgressException.class)
			.isThrownBy(() -> impatient.handle(QUEUE, "m-1", () -> this.handled.add("m-1")))
			.satisfies((ex) -> assertThat(ex.classification().failureClass()).isEqualTo(FailureClass.CONTENTION)));
		assertThat(this.handled).isEmpty();
	}

	private CompletableFuture<Boolean> handling(String message, CountDownLatch ends) throws InterruptedException {
		CountDownLatch begun = new CountDownLatch(1);
		CompletableFuture<Boolean> handling = CompletableFuture.supplyAsync(() -> call(message, () -> {
			begun.countDown();
			ends.await();
		}));
		begun.await();
		return handling;
	}

	private boolean handle(String message) {
		return call(message, () -> this.handled.add(message));
	}

	private boolean call(String message, MessageDeduplicator.HandlerCall handler) {
		try {
			return this.deduplicator.handle(QUEUE, message, handler);
		}
		catch (Throwable ex) {
			throw new AssertionError(ex);
		}
	}

}
