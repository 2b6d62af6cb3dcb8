/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.replay;

import org.jspecify.annotations.Nullable;

/**
 * What is to be replayed, how, by whom and why.
 *
 * @param selection which messages
 * @param options how
 * @param act who and why
 * @param uncertainOf a replay that has ended, of which only those messages are meant that
 * it perhaps published and perhaps did not, or {@code null} for what is parked
 */
public record ReplayRequest(Selection selection, ReplayOptions options, Act act, @Nullable String uncertainOf) {

	/**
	 * A replay of what is parked.
	 * @param selection which messages
	 * @param options how
	 * @param act who and why
	 */
	public ReplayRequest(Selection selection, ReplayOptions options, Act act) {
		this(selection, options, act, null);
	}

	/**
	 * What is to be replayed as people write it, for the audit.
	 * @return text
	 */
	String selected() {
		return (this.uncertainOf != null) ? "uncertain of %s: %s".formatted(this.uncertainOf, this.selection)
				: this.selection.toString();
	}

}
