/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.handler;

import java.io.Serial;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

import org.springframework.util.Assert;

/**
 * Thrown by a batch listener to name the messages that failed, each with its own failure.
 * Each is treated as if it had been handled alone. All other messages of the batch are
 * acknowledged.
 * <p>
 * The work done for the others must be committed. This is therefore a checked exception,
 * after which Spring commits a transaction around the listener unless the application
 * configures other rules.
 */
public final class BatchItemsFailedException extends Exception {

	@Serial
	private static final long serialVersionUID = 1L;

	private final transient SortedMap<Integer, Throwable> failures = new TreeMap<>();

	/**
	 * Creates an exception without failed messages. If it is thrown like this, it is
	 * treated like any other exception: it does not identify the failed messages.
	 */
	public BatchItemsFailedException() {
		super(null, null);
	}

	/**
	 * Names a failed message.
	 * @param index its index in the list passed to the listener, from 0
	 * @param failure why it failed; if a message is added several times, the first
	 * failure is used
	 * @return this exception
	 * @throws IllegalArgumentException if the index is negative
	 */
	public BatchItemsFailedException add(int index, Throwable failure) {
		Assert.isTrue(index >= 0, () -> "%s is no place in a list, it must be 0 or more".formatted(index));
		if (this.failures.putIfAbsent(index, failure) == null && failure != this) {
			// seen in the log of code that does not know this exception
			addSuppressed(failure);
		}
		return this;
	}

	/**
	 * Throws this exception if a message has failed.
	 * @throws BatchItemsFailedException this
	 */
	public void throwIfAny() throws BatchItemsFailedException {
		if (!this.failures.isEmpty()) {
			throw this;
		}
	}

	/**
	 * The failed messages.
	 * @return the failures by index in the list
	 */
	public SortedMap<Integer, Throwable> failures() {
		return Collections.unmodifiableSortedMap(this.failures);
	}

	@Override
	public String getMessage() {
		return "Messages of the batch that failed, by their places: " + this.failures.keySet();
	}

}
