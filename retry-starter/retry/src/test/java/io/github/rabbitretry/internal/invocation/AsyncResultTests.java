/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.invocation;

import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class AsyncResultTests {

	private static final AsyncResult.Patience RUNNING = new AsyncResult.Patience(() -> false,
			() -> Duration.ofSeconds(1));

	@ParameterizedTest
	@MethodSource
	void aFutureAStageAndAMonoAreThereLater(Object later) throws Exception {
		assertThat(AsyncResult.is(later)).isTrue();
		assertThat(AsyncResult.await(later, RUNNING)).isEqualTo("done");
	}

	static Stream<Object> aFutureAStageAndAMonoAreThereLater() {
		FutureTask<String> task = new FutureTask<>(() -> "done");
		task.run();
		return Stream.of(task, CompletableFuture.completedFuture("done"), CompletableFuture.completedStage("done"),
				CompletableFuture.supplyAsync(() -> "done"), Mono.just("done"),
				Mono.delay(Duration.ofMillis(150)).thenReturn("done"));
	}

	@Test
	void aResultIsWaitedForThoughTheListenerLeftItsThreadInterrupted() throws Exception {
		Thread.currentThread().interrupt();
		assertThat(AsyncResult.await(Mono.delay(Duration.ofMillis(150)).thenReturn("done"), RUNNING)).isEqualTo("done");
	}

	@Test
	void otherResultsAreThereAtOnce() {
		assertThat(Stream.of("done", 1, Flux.just("done"), Stream.of("done"))).noneMatch(AsyncResult::is);
		assertThat(AsyncResult.is(null)).isFalse();
	}

	@Test
	void anEmptyMonoIsNoResult() throws Exception {
		assertThat(AsyncResult.await(Mono.empty(), RUNNING)).isNull();
	}

	@Test
	void aFailureIsThrownAsTheListenerWouldHave() {
		IOException failure = new IOException("no");
		assertThatExceptionOfType(IOException.class)
			.isThrownBy(() -> AsyncResult.await(CompletableFuture.failedFuture(failure), RUNNING))
			.isSameAs(failure);
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> AsyncResult.await(Mono.error(failure), RUNNING))
			.isSameAs(failure);
		StackOverflowError error = new StackOverflowError();
		assertThatExceptionOfType(StackOverflowError.class)
			.isThrownBy(() -> AsyncResult.await(CompletableFuture.failedFuture(error), RUNNING))
			.isSameAs(error);
	}

	@Test
	void aResultThatDoesNotComeIsGivenUpAfterTheContainerStopped() {
		AsyncResult.Patience stopping = new AsyncResult.Patience(() -> true, () -> Duration.ofMillis(50));
		assertThatExceptionOfType(InterruptedException.class)
			.isThrownBy(() -> AsyncResult.await(new CompletableFuture<>(), stopping));
	}

	@Test
	void whatIsGivenUpIsCancelled() {
		AsyncResult.Patience stopping = new AsyncResult.Patience(() -> true, () -> Duration.ofMillis(50));
		AtomicBoolean unsubscribed = new AtomicBoolean();
		CompletableFuture<String> future = new CompletableFuture<>();
		assertThatExceptionOfType(InterruptedException.class)
			.isThrownBy(() -> AsyncResult.await(Mono.never().doOnCancel(() -> unsubscribed.set(true)), stopping));
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> AsyncResult.await(future, stopping));
		assertThat(unsubscribed).isTrue();
		assertThat(future).isCancelled();
	}

	@Test
	void aResultIsWaitedForLongerOnceTheContainerStopsForAnOutage() throws Exception {
		AtomicBoolean pausing = new AtomicBoolean();
		AsyncResult.Patience patience = new AsyncResult.Patience(() -> pausing.getAndSet(true),
				() -> pausing.get() ? Duration.ofSeconds(30) : Duration.ZERO);
		assertThat(AsyncResult.await(Mono.delay(Duration.ofMillis(400)).thenReturn("done"), patience))
			.isEqualTo("done");
	}

	@ParameterizedTest
	@ValueSource(classes = { Object.class, Future.class, CompletionStage.class, CompletableFuture.class,
			FutureTask.class, Mono.class, Publisher.class })
	void aMethodOfThisTypeMayReturnOne(Class<?> type) {
		assertThat(AsyncResult.isPossible(type)).isTrue();
	}

	@ParameterizedTest
	@ValueSource(classes = { void.class, String.class, Collection.class, Flux.class })
	void aMethodOfThisTypeDoesNot(Class<?> type) {
		assertThat(AsyncResult.isPossible(type)).isFalse();
	}

}
