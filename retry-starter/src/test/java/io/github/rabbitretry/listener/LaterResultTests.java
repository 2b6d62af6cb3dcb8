/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.listener;

import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
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

class LaterResultTests {

	private static final LaterResult.Patience RUNNING = new LaterResult.Patience(() -> false, Duration.ofSeconds(1));

	@ParameterizedTest
	@MethodSource
	void aFutureAStageAndAMonoAreThereLater(Object later) throws Exception {
		assertThat(LaterResult.is(later)).isTrue();
		assertThat(LaterResult.await(later, RUNNING)).isEqualTo("done");
	}

	static Stream<Object> aFutureAStageAndAMonoAreThereLater() {
		FutureTask<String> task = new FutureTask<>(() -> "done");
		task.run();
		return Stream.of(task, CompletableFuture.completedFuture("done"), CompletableFuture.completedStage("done"),
				CompletableFuture.supplyAsync(() -> "done"), Mono.just("done"),
				Mono.delay(Duration.ofMillis(150)).thenReturn("done"));
	}

	@Test
	void aResultIsWaitedForThoughTheListenersMethodLeftItsThreadInterrupted() throws Exception {
		Thread.currentThread().interrupt();
		assertThat(LaterResult.await(Mono.delay(Duration.ofMillis(150)).thenReturn("done"), RUNNING)).isEqualTo("done");
	}

	@Test
	void otherResultsAreThereAtOnce() {
		assertThat(Stream.of("done", 1, Flux.just("done"), Stream.of("done"))).noneMatch(LaterResult::is);
		assertThat(LaterResult.is(null)).isFalse();
	}

	@Test
	void anEmptyMonoIsNoResult() throws Exception {
		assertThat(LaterResult.await(Mono.empty(), RUNNING)).isNull();
	}

	@Test
	void aFailureIsThrownAsTheListenerWouldHave() {
		IOException failure = new IOException("no");
		assertThatExceptionOfType(IOException.class)
			.isThrownBy(() -> LaterResult.await(CompletableFuture.failedFuture(failure), RUNNING))
			.isSameAs(failure);
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> LaterResult.await(Mono.error(failure), RUNNING))
			.isSameAs(failure);
		StackOverflowError error = new StackOverflowError();
		assertThatExceptionOfType(StackOverflowError.class)
			.isThrownBy(() -> LaterResult.await(CompletableFuture.failedFuture(error), RUNNING))
			.isSameAs(error);
	}

	@Test
	void aResultThatDoesNotComeIsGivenUpWhenTheContainerHasStoppedForAWhile() {
		LaterResult.Patience stopping = new LaterResult.Patience(() -> true, Duration.ofMillis(50));
		assertThatExceptionOfType(InterruptedException.class)
			.isThrownBy(() -> LaterResult.await(new CompletableFuture<>(), stopping));
	}

	@ParameterizedTest
	@ValueSource(classes = { Object.class, Future.class, CompletionStage.class, CompletableFuture.class,
			FutureTask.class, Mono.class, Publisher.class })
	void aMethodOfThisTypeMayReturnOne(Class<?> type) {
		assertThat(LaterResult.isPossible(type)).isTrue();
	}

	@ParameterizedTest
	@ValueSource(classes = { void.class, String.class, Collection.class, Flux.class })
	void aMethodOfThisTypeDoesNot(Class<?> type) {
		assertThat(LaterResult.isPossible(type)).isFalse();
	}

}
