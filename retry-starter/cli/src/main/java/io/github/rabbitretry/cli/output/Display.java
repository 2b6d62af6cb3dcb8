/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.output;

/**
 * How answers are shown.
 *
 * @param terminal whether a terminal shows them
 * @param wide whether nothing is cut or summed up
 */
public record Display(boolean terminal, boolean wide) {

	/** What goes to a file or to another program is not cut. */
	boolean cuts() {
		return this.terminal && !this.wide;
	}

}
