/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.outside;

/**
 * What is done if this process is asked to end, as by Ctrl-C, until it is closed.
 */
public final class ShutdownHook implements AutoCloseable {

	private final Thread thread;

	/**
	 * Adds it.
	 * @param action what to do
	 */
	public ShutdownHook(Runnable action) {
		this.thread = new Thread(action, "shutdown");
		Runtime.getRuntime().addShutdownHook(this.thread);
	}

	@Override
	public void close() {
		try {
			Runtime.getRuntime().removeShutdownHook(this.thread);
		}
		catch (IllegalStateException ex) {
			// it runs already
		}
	}

}
