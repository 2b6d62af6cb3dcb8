/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it.listeners;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.scheduling.annotation.Async;

/**
 * Kinds whose result is there after their method's return.
 */
final class AsyncKinds {

	private AsyncKinds() {
	}

	static List<ListenerKind> all() {
		return List.of(kind("CompletableFuture"), new ReplyKinds.Requested("CompletableFuture of a reply"),
				kind("CompletionStage"), kind("Mono"), new ReplyKinds.Requested("Mono of a reply"),
				kind("Mono of a CompletableFuture"), kind("Object that is a future"), kind("@Async CompletableFuture"));
	}

	private static ListenerKind kind(String name) {
		return new ListenerKind(name, AnnotatedApplication.APPLICATION);
	}

	static class Listeners {

		@RabbitListener(queues = "kinds.completablefuture")
		CompletableFuture<@Nullable Void> future(Order order) {
			return CompletableFuture.runAsync(() -> HandlerCalls.handle(order.id()));
		}

		@RabbitListener(queues = "kinds.completablefuture-of-a-reply")
		CompletableFuture<Order> futureOfReply(Order order) {
			return CompletableFuture.supplyAsync(() -> handled(order));
		}

		@RabbitListener(queues = "kinds.completionstage")
		CompletionStage<@Nullable Void> stage(Order order) {
			return CompletableFuture.runAsync(() -> HandlerCalls.handle(order.id()));
		}

		@RabbitListener(queues = "kinds.mono")
		Mono<Void> mono(Order order) {
			return Mono.<Void>fromRunnable(() -> HandlerCalls.handle(order.id()))
				.subscribeOn(Schedulers.boundedElastic());
		}

		@RabbitListener(queues = "kinds.mono-of-a-reply")
		Mono<Order> monoOfReply(Order order) {
			return Mono.fromCallable(() -> handled(order)).subscribeOn(Schedulers.boundedElastic());
		}

		/** As by map in place of flatMap. */
		@RabbitListener(queues = "kinds.mono-of-a-completablefuture")
		Mono<CompletableFuture<@Nullable Void>> monoOfFuture(Order order) {
			return Mono.fromCallable(() -> CompletableFuture.runAsync(() -> HandlerCalls.handle(order.id())));
		}

		@RabbitListener(queues = "kinds.object-that-is-a-future")
		Object object(Order order) {
			return CompletableFuture.runAsync(() -> HandlerCalls.handle(order.id()));
		}

		@Async
		@RabbitListener(queues = "kinds.async-completablefuture")
		public CompletableFuture<@Nullable Void> async(Order order) {
			HandlerCalls.handle(order.id());
			return CompletableFuture.completedFuture(null);
		}

		private static Order handled(Order order) {
			HandlerCalls.handle(order.id());
			return order;
		}

	}

}
