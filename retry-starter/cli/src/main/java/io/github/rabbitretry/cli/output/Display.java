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
 * @param wide whether long cells are shown whole
 * @param colours whether colours are seen
 * @param times how times are shown
 */
public record Display(int width, boolean wide, boolean colours, Times times) {
}
