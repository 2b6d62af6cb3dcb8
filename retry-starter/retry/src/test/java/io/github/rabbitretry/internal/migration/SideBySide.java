/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.migration;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Runs of a test that mostly wait, some at a time, each of which has its own result.
 *
 * @param <T> what runs differ in
 */
final class SideBySide<T> {

	private final int most;

	private final List<T> all;

	private final Run<T> run;

	private final Map<T, Future<?>> results = new ConcurrentHashMap<>();

	private final Set<T> failed = ConcurrentHashMap.newKeySet();

	SideBySide(int most, List<T> all, Run<T> run) {
		this.most = most;
		this.all = all;
		this.run = run;
	}

	/**
	 * Begins with all when the first is asked for, and once more with one that failed.
	 */
	void await(T one) throws Exception {
		if (this.results.isEmpty()) {
			start(this.all);
		}
		else if (this.failed.remove(one)) {
			start(List.of(one));
		}
		try {
			this.results.get(one).get();
		}
		catch (ExecutionException ex) {
			this.failed.add(one);
			if (ex.getCause() instanceof Error error) {
				throw error;
			}
			throw ex;
		}
	}

	private void start(List<T> some) {
		ExecutorService executor = Executors.newFixedThreadPool(this.most);
		some.forEach((each) -> this.results.put(each, executor.submit(() -> {
			this.run.of(each);
			return null;
		})));
		executor.shutdown();
	}

	/**
	 * A run.
	 */
	interface Run<T> {

		void of(T one) throws Exception;

	}

}
