/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.thread;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Makes threads that never keep a process alive: an application that has ended otherwise
 * must not wait for the broker because of them.
 */
public final class DaemonThreads {

	private DaemonThreads() {
	}

	/**
	 * Makes the threads of an executor.
	 * @param name the name of each of them
	 * @return makes them
	 */
	public static ThreadFactory named(String name) {
		return (task) -> thread(name, task);
	}

	/**
	 * Makes the threads of an executor that has several.
	 * @param prefix what their names begin with, before a number from 1 on
	 * @return makes them
	 */
	public static ThreadFactory numbered(String prefix) {
		AtomicInteger number = new AtomicInteger();
		return (task) -> thread(prefix + number.incrementAndGet(), task);
	}

	/**
	 * Starts a thread.
	 * @param name its name
	 * @param task what it does
	 * @return the thread
	 */
	public static Thread start(String name, Runnable task) {
		Thread thread = thread(name, task);
		thread.start();
		return thread;
	}

	private static Thread thread(String name, Runnable task) {
		Thread thread = new Thread(task, name);
		thread.setDaemon(true);
		return thread;
	}

}
