/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.publication;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import io.github.rabbitretry.internal.handover.OutboundMessage;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.parking.message.ParkedMessage;
import io.github.rabbitretry.parking.replay.OperatorAction;
import io.github.rabbitretry.parking.replay.ReplayOptions;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;

/**
 * Reads what is published. Bodies are in memory only while they are published, a few at a
 * time and the fewer the larger they are.
 */
public final class BatchReader {

	private static final Log logger = LogFactory.getLog(BatchReader.class);

	private static final int MOST_AT_ONCE = 50;

	/** What bodies read at once should have in all, and those still on their way then. */
	static final long BYTES_AT_ONCE = 8 * 1024 * 1024;

	private final String replayId;

	private final OperatorAction act;

	private final ReplayOptions options;

	private final MessagePolicies policies;

	private final Function<List<Long>, List<ParkedMessage>> messages;

	private int atOnce = 2;

	/**
	 * Creates the reader of a replay.
	 * @param replayId the replay
	 * @param act who and why
	 * @param options may name another queue than the work queues
	 * @param policies the queues
	 * @param messages reads messages by their ids
	 */
	public BatchReader(String replayId, OperatorAction act, ReplayOptions options, MessagePolicies policies,
			Function<List<Long>, List<ParkedMessage>> messages) {
		this.replayId = replayId;
		this.act = act;
		this.options = options;
		this.policies = policies;
		this.messages = messages;
	}

	/**
	 * Reads the next messages.
	 * @param items all that are to be published
	 * @param frameMax the connection's largest frame in bytes
	 * @return the first of them, in their order
	 */
	List<Entry> read(Collection<ClaimedItem> items, int frameMax) {
		List<ClaimedItem> next = items.stream().limit(this.atOnce).toList();
		Map<Long, ParkedMessage> messages = messages(next.stream().map(ClaimedItem::parkedId).toList());
		long bytes = messages.values().stream().mapToLong((message) -> size(message.body())).sum();
		this.atOnce = (int) Math.max(1,
				Math.min(MOST_AT_ONCE, Math.min(this.atOnce * 2L, BYTES_AT_ONCE * next.size() / Math.max(1, bytes))));
		ReplayCopy copies = new ReplayCopy(this.replayId, this.act, frameMax);
		List<Entry> entries = new ArrayList<>();
		next.forEach((item) -> entries.add(entry(copies, messages.get(item.parkedId()))));
		return entries;
	}

	private static int size(byte @Nullable [] body) {
		return (body != null) ? body.length : 0;
	}

	/** One that can't be read costs no other. */
	private Map<Long, ParkedMessage> messages(List<Long> ids) {
		Map<Long, ParkedMessage> messages = new HashMap<>();
		try {
			this.messages.apply(ids).forEach((message) -> messages.put(message.summary().id(), message));
		}
		catch (DataAccessException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			if (ids.size() == 1) {
				logger.warn("Message %s of replay %s can't be read".formatted(ids.get(0), this.replayId), ex);
			}
			else {
				ids.forEach((id) -> messages.putAll(messages(List.of(id))));
			}
		}
		return messages;
	}

	private Entry entry(ReplayCopy copies, @Nullable ParkedMessage message) {
		if (message == null) {
			return new Entry("unknown", null, "it is not in the ledger any more, or can't be read");
		}
		String type = message.summary().messageType();
		MessagePolicy policy = this.policies.ofQueue(message.summary().queue()).orElse(null);
		if (policy != null && this.options.move() && message.summary().queue().equals(this.options.target())) {
			return new Entry(type, null, "the target is its own work queue; replay it without a target");
		}
		try {
			String target = this.options.target();
			if (target == null && policy == null) {
				return Entry.withoutPolicy(type);
			}
			OutboundMessage copy = ((target != null) ? copies.toTarget(message, target)
					: copies.toWorkQueue(message, policy.topology().directRoute()))
				.orElse(null);
			if (copy == null) {
				return new Entry(type, null,
						"its body is not there, or its headers do not fit into a frame together with ours");
			}
			return new Entry(type, copy, "");
		}
		catch (RuntimeException ex) {
			logger.warn(
					"No copy can be made of message %s of replay %s".formatted(message.summary().id(), this.replayId),
					ex);
			return new Entry(type, null, "no copy can be made of it: " + ex.getClass().getName());
		}
	}

	/**
	 * A message to be published.
	 *
	 * @param messageType its type
	 * @param copy what to publish, if anything
	 * @param never why there is no copy, empty if there is
	 */
	record Entry(String messageType, @Nullable OutboundMessage copy, String never) {

		/** Its policy was there when it was selected, and may come back. */
		static Entry withoutPolicy(String messageType) {
			return new Entry(messageType, null, "");
		}

		boolean isWithoutPolicy() {
			return this.copy == null && this.never.isEmpty();
		}

	}

}
