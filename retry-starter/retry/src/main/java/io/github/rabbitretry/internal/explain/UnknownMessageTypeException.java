/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.explain;

import java.util.List;

/**
 * There is no message policy of that name.
 */
public final class UnknownMessageTypeException extends IllegalArgumentException {

	private static final long serialVersionUID = 1L;

	UnknownMessageTypeException(String messageType, List<String> known) {
		super("There is no message policy '%s'; there are %s.".formatted(messageType, String.join(", ", known)));
	}

}
