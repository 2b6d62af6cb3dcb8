/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.classify;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import org.springframework.amqp.listener.ListenerExecutionFailedException;

/**
 * A failure and its causes. The only way to walk over causes: a chain may be a cycle, or
 * make up a new cause for as long as it is asked, and a walk without a bound would never
 * end.
 */
public final class CauseChain {

	/** Deep enough for every real chain, and an end for those that make up causes. */
	static final int MAX_DEPTH = 32;

	private CauseChain() {
	}

	/**
	 * The chain.
	 * @param failure the failure
	 * @return the failure, its cause, and so on, each once, at most 32
	 */
	public static List<Throwable> of(Throwable failure) {
		List<Throwable> chain = new ArrayList<>();
		@Nullable Throwable current = failure;
		while (current != null && chain.size() < MAX_DEPTH && !isIn(chain, current)) {
			chain.add(current);
			current = cause(current);
		}
		return chain;
	}

	/** The same object: exceptions may have an equality of their own. */
	private static boolean isIn(List<Throwable> chain, Throwable failure) {
		for (Throwable each : chain) {
			if (each == failure) {
				return true;
			}
		}
		return false;
	}

	/**
	 * The innermost cause.
	 * @param failure the failure
	 * @return the last of its chain, which is the failure itself if it has no cause
	 */
	public static Throwable root(Throwable failure) {
		List<Throwable> chain = of(failure);
		return chain.get(chain.size() - 1);
	}

	/**
	 * The innermost cause that says what went wrong.
	 * @param failure the failure, wrappers of Spring AMQP included
	 * @return the innermost cause that is no such wrapper, or the failure itself
	 */
	public static Throwable innermost(Throwable failure) {
		Throwable root = failure;
		for (Throwable cause : HypotheticalFailure.chain(failure)) {
			// a wrapper without a cause must do, but a cycle back to one must not
			root = (cause instanceof ListenerExecutionFailedException) ? root : cause;
		}
		return root;
	}

	/**
	 * The outermost failure of a type.
	 * @param <T> the type
	 * @param failure the failure
	 * @param type the type
	 * @return the first in the chain, or empty if there is none
	 */
	public static <T extends Throwable> Optional<T> find(Throwable failure, Class<T> type) {
		for (Throwable each : of(failure)) {
			if (type.isInstance(each)) {
				return Optional.of(type.cast(each));
			}
		}
		return Optional.empty();
	}

	/**
	 * An exception and its causes, without the wrappers of Spring AMQP before them.
	 * @param failure the exception
	 * @return at least one, outermost first
	 */
	public static List<Throwable> unwrapped(Throwable failure) {
		List<Throwable> chain = of(failure);
		int wrappers = 0;
		while (wrappers < chain.size() - 1 && chain.get(wrappers) instanceof ListenerExecutionFailedException) {
			wrappers++;
		}
		return chain.subList(wrappers, chain.size());
	}

	private static @Nullable Throwable cause(Throwable failure) {
		try {
			return failure.getCause();
		}
		catch (RuntimeException | StackOverflowError ex) {
			// overridden by code that fails itself
			return null;
		}
	}

}
