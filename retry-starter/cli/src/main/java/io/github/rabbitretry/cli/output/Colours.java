/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.output;

import picocli.CommandLine.Help.Ansi.Style;

/**
 * Colours that tell at a glance how something stands.
 */
enum Colours {

	/** It is well. */
	GOOD(Style.fg_green, "FINISHED", "SUCCEEDED", "REPLAYED", "RESTORED"),

	/** Somebody has to look. */
	BAD(Style.fg_red, "STOPPED", "ABORTED", "FAILED", "PARKED_AGAIN", "UNCERTAIN", "ERROR", "MISSING"),

	/** It waits. */
	WAITING(Style.fg_yellow, "PAUSED", "CANARY", "SKIPPED", "WARNING");

	private final Style style;

	private final java.util.List<String> texts;

	Colours(Style style, String... texts) {
		this.style = style;
		this.texts = java.util.List.of(texts);
	}

	/** The text, coloured if it is a state that has a colour. */
	static String state(String text, String shown) {
		for (Colours colour : values()) {
			if (colour.texts.contains(text)) {
				return colour.style.on() + shown + Style.reset.on();
			}
		}
		return shown;
	}

	static String heading(String text) {
		return Style.bold.on() + text + Style.reset.on();
	}

}
