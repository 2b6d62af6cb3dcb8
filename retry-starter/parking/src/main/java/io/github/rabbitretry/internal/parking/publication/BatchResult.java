/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.publication;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What became of a batch.
 *
 * @param published confirmed
 * @param returned found no queue, or have no policy that names one
 * @param unpublished refused with {@code basic.nack} or never sent
 * @param failed can never be published as they are, and why
 * @param unknown sent, and neither confirmed nor refused: the broker has them or not
 */
public record BatchResult(List<ClaimedItem> published, List<ClaimedItem> returned, List<ClaimedItem> unpublished,
		Map<ClaimedItem, String> failed, List<ClaimedItem> unknown) {

	/**
	 * Nothing has become of anything.
	 * @return a result to be added to
	 */
	public static BatchResult nothing() {
		return new BatchResult(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new LinkedHashMap<>(),
				new ArrayList<>());
	}

	/**
	 * Whether everything was published, or never can be.
	 * @return {@code false} if something is left
	 */
	public boolean complete() {
		return this.returned.isEmpty() && this.unpublished.isEmpty() && this.unknown.isEmpty();
	}

	void add(BatchResult more) {
		this.published.addAll(more.published);
		this.returned.addAll(more.returned);
		this.unpublished.addAll(more.unpublished);
		this.failed.putAll(more.failed);
		this.unknown.addAll(more.unknown);
	}

	/**
	 * What the broker perhaps had before is not known to be unpublished because another
	 * copy was refused.
	 */
	public void perhapsPublishedBefore() {
		this.unknown.addAll(this.unpublished);
		this.unpublished.clear();
		this.unknown.addAll(this.returned);
		this.returned.clear();
	}

}
