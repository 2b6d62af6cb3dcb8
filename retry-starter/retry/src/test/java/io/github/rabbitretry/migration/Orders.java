/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.migration;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntPredicate;

/**
 * What listeners of all versions of the service have handled.
 */
final class Orders {

	private static final Map<Integer, Integer> CALLS = new ConcurrentHashMap<>();

	private static final Set<Integer> HANDLED = ConcurrentHashMap.newKeySet();

	private static final ThreadLocal<Integer> CURRENT = ThreadLocal.withInitial(() -> -1);

	private static volatile IntPredicate failsAgain = (calls) -> false;

	private static volatile IntPredicate fails = (id) -> false;

	private Orders() {
	}

	static void reset() {
		CALLS.clear();
		HANDLED.clear();
		failing((id) -> false, (calls) -> false);
	}

	/**
	 * Sets what fails from now on.
	 * @param orders which orders
	 * @param calls at which of their calls, from 1
	 */
	static void failing(IntPredicate orders, IntPredicate calls) {
		fails = orders;
		failsAgain = calls;
	}

	static void handle(String order) {
		int id = Integer.parseInt(order);
		CURRENT.set(id);
		int calls = CALLS.merge(id, 1, Integer::sum);
		if (fails.test(id) && failsAgain.test(calls)) {
			throw new IllegalStateException("try again");
		}
		HANDLED.add(id);
	}

	/** The order that this thread handles. */
	static int current() {
		return CURRENT.get();
	}

	static int handled() {
		return HANDLED.size();
	}

}
