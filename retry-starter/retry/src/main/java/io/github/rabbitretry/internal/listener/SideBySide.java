/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

import io.github.rabbitretry.internal.thread.DaemonThreads;
import org.jspecify.annotations.Nullable;

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
		List<MessageListenerContainer> stopped = containers.stream()
			.filter((container) -> container.isAutoStartup() && !container.isRunning())
			.toList();
		if (stopped.size() > 1) {
			each(stopped, Math.min(MOST_THREADS, stopped.size()), MessageListenerContainer::start);
		}
	}

	/**
	 * Stops those that run, all at once.
	 * @param containers the containers
	 * @throws RuntimeException what the first of them that failed threw, once all others
	 * are stopped
	 */
	static void stop(List<MessageListenerContainer> containers) {
		List<MessageListenerContainer> running = containers.stream()
			.filter(MessageListenerContainer::isRunning)
			.toList();
		if (running.size() > 1) {
			each(running, running.size(), MessageListenerContainer::stop);
		}
	}

	private static void each(List<MessageListenerContainer> containers, int most,
			Consumer<MessageListenerContainer> action) {
		ExecutorService threads = Executors.newFixedThreadPool(most,
				DaemonThreads.numbered("rabbit-retry-containers-"));
		try {
			List<Future<?>> started = new ArrayList<>();
			containers.forEach((container) -> started.add(threads.submit(() -> action.accept(container))));
			RuntimeException failure = null;
			for (Future<?> one : started) {
				RuntimeException next = failure(one);
				failure = (failure != null) ? failure : next;
			}
			if (failure != null) {
				throw failure;
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		finally {
			threads.shutdown();
		}
	}

	private static @Nullable RuntimeException failure(Future<?> one) throws InterruptedException {
		try {
			one.get();
			return null;
		}
		catch (ExecutionException ex) {
			return (ex.getCause() instanceof RuntimeException cause) ? cause : new IllegalStateException(ex.getCause());
		}
	}

}
