/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.acknowledgement;

import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

import com.rabbitmq.client.Channel;

/**
 * Acknowledges several deliveries of a channel at once. It knows all settled tags, and so
 * all outstanding ones: where none is outstanding up to a tag, one command acknowledges
 * everything up to it, since of many single ones the broker may drop some if the channel
 * closes soon. All other deliveries are acknowledged each by its own tag. Every
 * settlement of the channel has to go through its one acknowledger, which is used by one
 * thread at a time: a tag that it does not know counts as outstanding.
 */
public final class ChannelAcknowledger {

	private final Channel channel;

	/** All up to this tag are settled. */
	private long end;

	/** Ranges behind a gap, which neither overlap nor touch, from first to last tag. */
	private final TreeMap<Long, Long> beyond = new TreeMap<>();

	/**
	 * Creates the acknowledger of a channel on which nothing has been delivered.
	 * @param channel the channel
	 */
	public ChannelAcknowledger(Channel channel) {
		this.channel = channel;
	}

	/**
	 * Acknowledges deliveries.
	 * @param tags their tags
	 * @throws IOException if the channel is broken
	 */
	public void acknowledge(Collection<Long> tags) throws IOException {
		tags.forEach(this::settled);
		long last = 0;
		int together = 0;
		for (long tag : tags) {
			if (tag > this.end) {
				this.channel.basicAck(tag, false);
			}
			else {
				last = Math.max(last, tag);
				together++;
			}
		}
		if (together > 0) {
			this.channel.basicAck(last, together > 1);
		}
	}

	/**
	 * Gives deliveries back.
	 * @param tags their tags
	 * @throws IOException if the channel is broken
	 */
	public void giveBack(Collection<Long> tags) throws IOException {
		for (long tag : tags) {
			this.channel.basicNack(tag, false, true);
			settled(tag);
		}
	}

	/**
	 * To be called once a delivery is settled otherwise.
	 * @param tag its tag
	 */
	void settled(long tag) {
		if (tag == this.end + 1) {
			Long joined = this.beyond.isEmpty() ? null : this.beyond.remove(tag + 1);
			this.end = (joined != null) ? joined : tag;
			return;
		}
		long from = tag;
		Map.Entry<Long, Long> before = this.beyond.floorEntry(tag);
		if (before != null && before.getValue() == tag - 1) {
			from = before.getKey();
		}
		Long after = this.beyond.remove(tag + 1);
		this.beyond.put(from, (after != null) ? after : tag);
	}

}
