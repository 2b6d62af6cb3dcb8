/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

import io.github.rabbitretry.internal.thread.DaemonThreads;

import org.springframework.amqp.core.MessageListenerContainer;

/**
 * Starts and stops containers side by side.
 */
final class SideBySide {

	private static final int MOST_THREADS = 16;

	private SideBySide() {
	}

	/**
	 * Starts those that are to be started with the application and do not run yet.
	 * @param containers the containers
	 * @throws RuntimeException what the first of them that failed threw, once all others
	 * are started
	 */
	static void start(List<MessageListenerContainer> containers) {
		each(containers.stream().filter((container) -> container.isAutoStartup() && !container.isRunning()).toList(),
				MOST_THREADS, MessageListenerContainer::start);
	}

	/**
	 * Stops those that run, all at once.
	 * @param containers the containers
	 * @throws RuntimeException what the first of them that failed threw, once all others
	 * are stopped
	 */
	static void stop(List<MessageListenerContainer> containers) {
		each(containers.stream().filter(MessageListenerContainer::isRunning).toList(), Integer.MAX_VALUE,
				MessageListenerContainer::stop);
	}

	private static void each(List<MessageListenerContainer> containers, int most,
			Consumer<MessageListenerContainer> action) {
		if (containers.size() < 2) {
			return;
		}
		ExecutorService threads = Executors.newFixedThreadPool(Math.min(most, containers.size()),
				DaemonThreads.numbered("rabbit-retry-containers-"));
		try {
			CompletableFuture
				.allOf(containers.stream()
					.map((container) -> CompletableFuture.runAsync(() -> action.accept(container), threads))
					.toArray(CompletableFuture[]::new))
				.get();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (ExecutionException ex) {
			throw (ex.getCause() instanceof RuntimeException cause) ? cause : new IllegalStateException(ex.getCause());
		}
		finally {
			threads.shutdown();
		}
	}

}
