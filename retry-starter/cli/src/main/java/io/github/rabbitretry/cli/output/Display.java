/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.output;

/**
 * How answers are shown.
 *
 * @param width the columns of the terminal, or 0 if it is none
 * @param wide whether long cells are shown whole on a terminal, too
 * @param colours whether colours are seen
 * @param times how times are shown
 */
public record Display(int width, boolean wide, boolean colours, Times times) {

	/** What goes to a file or to another program is not cut: there is no width to fit. */
	boolean whole() {
		return this.wide || this.width <= 0;
	}

}
