/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.classify;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Throwables whose causes never end.
 */
public final class HostileThrowables {

	private HostileThrowables() {
	}

	public static Stream<Supplier<Throwable>> all() {
		return List
			.<Supplier<Throwable>>of(HostileThrowables::cycle, HostileThrowables::itself,
					HostileThrowables::suppressedCycle, Endless::new, Failing::new)
			.stream();
	}

	public static Exception cycle() {
		Exception outer = new IllegalStateException("x");
		outer.initCause(new IllegalStateException("y", outer));
		return outer;
	}

	private static Exception itself() {
		return new Exception("itself") {

			@Override
			public synchronized Throwable getCause() {
				return this;
			}

		};
	}

	private static Exception suppressedCycle() {
		Exception outer = cycle();
		Exception suppressed = new IllegalStateException("suppressed", outer);
		outer.addSuppressed(suppressed);
		return outer;
	}

	private static final class Endless extends Exception {

		@Override
		public synchronized Throwable getCause() {
			return new Endless();
		}

	}

	private static final class Failing extends Exception {

		@Override
		public synchronized Throwable getCause() {
			throw new UnsupportedOperationException();
		}

	}

}
