/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.classify;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * A failure and its causes, outermost first. Suppressed exceptions are not part of it:
 * they happened while cleaning up and say nothing about why the work failed.
 */
final class CauseChain {

	/** Deep enough for every real chain, and an end for those that make up causes. */
	static final int MAX_DEPTH = 32;

	private CauseChain() {
	}

	static List<Throwable> of(Throwable failure) {
		List<Throwable> chain = new ArrayList<>();
		Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
		@Nullable Throwable current = failure;
		while (current != null && chain.size() < MAX_DEPTH && seen.add(current)) {
			chain.add(current);
			current = current.getCause();
		}
		if (failure instanceof HypotheticalFailure hypothetical) {
			chain.addAll(hypothetical.details());
		}
		return chain;
	}

}
