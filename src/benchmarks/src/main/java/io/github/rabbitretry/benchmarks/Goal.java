/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks;

/**
 * What is to become of every message.
 */
enum Goal {

	/** It waits in the retry queue, once. */
	HANDED_OVER {

		@Override
		boolean reached(Site site) throws Exception {
			return site.depth(site.target()) >= site.messages();
		}

		@Override
		int left(Site site) {
			return site.messages();
		}

	},

	/** It is acknowledged. */
	HANDLED {

		@Override
		boolean reached(Site site) throws Exception {
			return site.depth(site.work()) == 0;
		}

		@Override
		int left(Site site) {
			return 0;
		}

	};

	/**
	 * Whether the clock stops.
	 * @param site where to look
	 * @return {@code true} once all messages are where they belong, as far as the broker
	 * tells while a consumer is active
	 * @throws Exception if the broker does not answer
	 */
	abstract boolean reached(Site site) throws Exception;

	/**
	 * How many messages the retry queue must have in the end.
	 * @param site where the messages were
	 * @return a number
	 */
	abstract int left(Site site);

}
