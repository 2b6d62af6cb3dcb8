/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ledger;

import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

import com.rabbitmq.client.Channel;

/**
 * The deliveries of a channel that are settled. Where all deliveries up to one are
 * settled or stored, one command acknowledges them: of many single ones, the broker may
 * drop some if the channel closes soon. A delivery that is not stored is never among
 * them.
 */
final class SettledTags {

	/** Ranges that neither overlap nor touch, from the first tag to the last. */
	private final TreeMap<Long, Long> ranges = new TreeMap<>();

	/**
	 * Acknowledges deliveries.
	 * @param channel their channel
	 * @param tags the tags of what is stored
	 * @throws IOException if the channel is broken
	 */
	void acknowledge(Channel channel, Collection<Long> tags) throws IOException {
		tags.forEach(this::add);
		Map.Entry<Long, Long> first = this.ranges.firstEntry();
		long end = (first != null && first.getKey() == 1) ? first.getValue() : 0;
		long last = 0;
		for (long tag : tags) {
			if (tag > end) {
				channel.basicAck(tag, false);
			}
			else {
				last = Math.max(last, tag);
			}
		}
		if (last > 0) {
			channel.basicAck(last, true);
		}
	}

	/**
	 * Gives deliveries back.
	 * @param channel their channel
	 * @param tags their tags
	 * @throws IOException if the channel is broken
	 */
	void giveBack(Channel channel, Collection<Long> tags) throws IOException {
		for (long tag : tags) {
			channel.basicNack(tag, false, true);
			add(tag);
		}
	}

	private void add(long tag) {
		long from = tag;
		long to = tag;
		Map.Entry<Long, Long> before = this.ranges.floorEntry(tag);
		if (before != null && before.getValue() >= tag - 1) {
			from = before.getKey();
			to = Math.max(tag, before.getValue());
		}
		Long after = this.ranges.remove(to + 1);
		this.ranges.put(from, (after != null) ? after : to);
	}

}
