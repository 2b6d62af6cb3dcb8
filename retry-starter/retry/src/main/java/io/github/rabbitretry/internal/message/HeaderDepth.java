/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.message;

import java.util.Collection;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * How deep tables and arrays in headers may be nested. Spring AMQP and the client convert
 * and write them recursively: a stack of 256 KiB overflows at about 300 levels, one of 1
 * MiB at about 2,000.
 */
public final class HeaderDepth {

	/** The deepest nesting that is converted and published. */
	public static final int DEEPEST = 100;

	private HeaderDepth() {
	}

	/**
	 * Whether any header is nested too deep.
	 * @param headers the headers
	 * @return {@code true} if one of the values is
	 */
	public static boolean exceededIn(@Nullable Map<String, ?> headers) {
		if (headers != null) {
			for (Object value : headers.values()) {
				if (exceeded(value)) {
					return true;
				}
			}
		}
		return false;
	}

	/**
	 * Whether a header is nested too deep.
	 * @param value the header's value
	 * @return {@code true} if it has more than {@value #DEEPEST} levels of tables and
	 * arrays
	 */
	public static boolean exceeded(@Nullable Object value) {
		return exceeded(value, DEEPEST);
	}

	private static boolean exceeded(@Nullable Object value, int levels) {
		Collection<?> nested;
		if (value instanceof Map<?, ?> table) {
			nested = table.values();
		}
		else if (value instanceof Collection<?> array) {
			nested = array;
		}
		else {
			return false;
		}
		if (levels == 0) {
			return true;
		}
		for (Object each : nested) {
			if (exceeded(each, levels - 1)) {
				return true;
			}
		}
		return false;
	}

}
