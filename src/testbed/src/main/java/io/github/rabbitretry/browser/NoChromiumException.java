/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.browser;

/**
 * There is no browser to be had.
 */
public final class NoChromiumException extends RuntimeException {

	NoChromiumException(String message) {
		super(message);
	}

}
