/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.replay;

import java.util.Collection;
import java.util.List;

import io.github.rabbitretry.parking.message.ParkedFilter;
import io.github.rabbitretry.parking.message.ParkedState;
import org.jspecify.annotations.Nullable;

/**
 * Selects parked messages by a filter, by ids, or by both.
 *
 * @param filter the filter; its state is ignored, since only parked messages are selected
 * @param ids the ids in the ledger, at most {@value #MOST_IDS}; empty for all messages of
 * the filter
 */
public record Selection(ParkedFilter filter, List<Long> ids) {

	/** The maximum number of ids. */
	public static final int MOST_IDS = 1000;

	/**
	 * Validates the filter's texts and the number of ids.
	 * @throws ReplayRefusedException if a text is too long or has control characters, the
	 * filter asks for another state, or there are too many ids
	 */
	public Selection {
		ids = List.copyOf(ids);
		if (ids.size() > MOST_IDS) {
			throw ReplayRefusedException.invalid("ids", "are " + ids.size(), "There may be 1000; use a filter.");
		}
		if (filter.state() != null && filter.state() != ParkedState.PARKED) {
			throw ReplayRefusedException.invalid("filter", "asks for the state " + filter.state(),
					"Only what is still parked can be replayed or discarded.");
		}
		FilterText.check(filter);
	}

	/**
	 * Selects all messages of a filter.
	 * @param filter the filter
	 * @return the selection
	 */
	public static Selection of(ParkedFilter filter) {
		return new Selection(filter, List.of());
	}

	/**
	 * Selects messages by id.
	 * @param ids their ids in the ledger, at least one
	 * @return the selection
	 * @throws ReplayRefusedException if there are no ids
	 */
	public static Selection of(Collection<Long> ids) {
		if (ids.isEmpty()) {
			throw ReplayRefusedException.invalid("ids", "are none", "Name one at least, or use a filter.");
		}
		return new Selection(ParkedFilter.ALL, List.copyOf(ids));
	}

	/**
	 * Returns a description of the selection, for the audit.
	 * @return the description
	 */
	@Override
	public String toString() {
		String text = FilterText.of(this.filter);
		@Nullable String first = this.ids.isEmpty() ? null : "ids=" + this.ids;
		if (first == null) {
			return text.isEmpty() ? "all" : text;
		}
		return text.isEmpty() ? first : first + ", " + text;
	}

}
