/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.snapshot;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.github.rabbitretry.internal.management.ManagementUnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * One reading of a virtual host: the time that it may take, and what it left out.
 */
final class ReadBudget {

	private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(25);

	private final String url;

	private final long deadline = System.nanoTime() + LONGEST_NANOS;

	private final List<String> unexamined = new ArrayList<>();

	ReadBudget(String url) {
		this.url = url;
	}

	void inTime() {
		if (System.nanoTime() - this.deadline > 0) {
			throw new ManagementUnavailableException(
					"%s: the answers took %s s already".formatted(this.url, LONGEST_NANOS / 1_000_000_000));
		}
	}

	<T extends @Nullable Object> T optional(String what, Supplier<T> question, T otherwise) {
		try {
			inTime();
			return question.get();
		}
		catch (ManagementUnavailableException ex) {
			leftOut("%s: %s".formatted(what, ex.getMessage()));
			return otherwise;
		}
	}

	void leftOut(String what) {
		this.unexamined.add(what);
	}

	List<String> unexamined() {
		return List.copyOf(this.unexamined);
	}

}
