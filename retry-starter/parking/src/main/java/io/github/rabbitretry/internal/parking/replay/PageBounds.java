/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import io.github.rabbitretry.parking.replay.ReplayRefusedException;
import io.github.rabbitretry.parking.replay.ReplayService;

/**
 * Bounds of pages.
 */
final class PageBounds {

	private PageBounds() {
	}

	static void check(int limit) {
		if (limit < 1 || limit > ReplayService.LARGEST_PAGE) {
			throw ReplayRefusedException.invalid("limit", "is " + limit, "It must be from 1 to 1000.");
		}
	}

}
