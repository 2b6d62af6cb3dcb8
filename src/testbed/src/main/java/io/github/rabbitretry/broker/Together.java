/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.broker;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Does the same with several things at once, in a thread each, and waits for all.
 */
final class Together {

	private Together() {
	}

	/**
	 * Runs the task for each.
	 * @return the results in the order of the things
	 * @throws NodeStartException the first of them, after all have ended
	 */
	static <T, R> List<R> run(List<T> things, Task<T, R> task) throws NodeStartException {
		List<FutureTask<R>> futures = new ArrayList<>();
		for (T thing : things) {
			FutureTask<R> future = new FutureTask<>(() -> task.run(thing));
			futures.add(future);
			Thread thread = new Thread(future, "broker cluster");
			thread.setDaemon(true);
			thread.start();
		}
		List<R> results = new ArrayList<>();
		List<Throwable> failures = new ArrayList<>();
		for (FutureTask<R> future : futures) {
			try {
				results.add(future.get());
			}
			catch (ExecutionException ex) {
				failures.add(ex.getCause());
			}
			catch (InterruptedException ex) {
				futures.forEach((each) -> each.cancel(true));
				Thread.currentThread().interrupt();
				throw new NodeStartException("Interrupted while the cluster's nodes were waited for");
			}
		}
		for (Throwable failure : failures) {
			if (failure instanceof NodeStartException ex) {
				throw ex;
			}
			throw new IllegalStateException(failure.getMessage(), failure);
		}
		return results;
	}

	/** What is done with each. */
	interface Task<T, R> {

		R run(T thing) throws NodeStartException;

	}

}
