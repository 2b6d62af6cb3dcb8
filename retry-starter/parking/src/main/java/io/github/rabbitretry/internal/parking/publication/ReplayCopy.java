/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.publication;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

import com.rabbitmq.client.LongString;
import io.github.rabbitretry.internal.handover.OutboundMessage;
import io.github.rabbitretry.internal.message.AppHeaders;
import io.github.rabbitretry.internal.message.HeaderText;
import io.github.rabbitretry.internal.message.OutboundProperties;
import io.github.rabbitretry.internal.message.ReplayHeaders;
import io.github.rabbitretry.internal.parking.mapping.AmqpPropertiesCodec;
import io.github.rabbitretry.parking.message.ParkedMessage;
import io.github.rabbitretry.parking.message.ParkedSummary;
import io.github.rabbitretry.parking.replay.OperatorAction;
import io.github.rabbitretry.topology.DelayRoute;
import org.jspecify.annotations.Nullable;

/**
 * What is published of a parked message: the body and the properties as they were, a new
 * budget, and what came before in headers of its own.
 */
final class ReplayCopy {

	private static final int LONGEST = 255;

	private final String replayId;

	private final OperatorAction act;

	private final int frameMax;

	ReplayCopy(String replayId, OperatorAction act, int frameMax) {
		this.replayId = replayId;
		this.act = act;
		this.frameMax = frameMax;
	}

	/**
	 * A copy for the work queue, which its ledger recognizes if it is parked again.
	 * @param message the parked message
	 * @param route the way to the queue
	 * @return the copy, or empty if it can't be published as it was
	 */
	Optional<OutboundMessage> toWorkQueue(ParkedMessage message, DelayRoute route) {
		Map<String, Object> ours = followed(message);
		// where the queue had another name before, its consumers would ignore the rest
		ours.put(AppHeaders.ORIGIN_QUEUE, route.routingKey());
		return copy(route.exchange(), route.routingKey(), message, ours);
	}

	/**
	 * A copy for another queue: what the parking lot had, envelope included. People see
	 * why it was parked, and it can be put back into the parking lot. A consumer of ours
	 * takes it for new, since it names another queue as its origin.
	 * @param message the parked message
	 * @param queue where to
	 * @return the copy, or empty if it can't be published as it was
	 */
	Optional<OutboundMessage> toTarget(ParkedMessage message, String queue) {
		Map<String, Object> ours = followed(message);
		ours.put(AppHeaders.ORIGIN_QUEUE, message.summary().queue());
		message.headers().forEach((name, value) -> {
			if (OutboundProperties.isPerHop(name) && !name.equals(AppHeaders.HANDOVER_ID)) {
				ours.putIfAbsent(name, value);
			}
		});
		return copy("", queue, message, ours);
	}

	private Optional<OutboundMessage> copy(String exchange, String routingKey, ParkedMessage message,
			Map<String, Object> ours) {
		byte[] body = message.body();
		if (body == null) {
			return Optional.empty();
		}
		OutboundProperties properties = OutboundProperties.of(AmqpPropertiesCodec.properties(message), ours,
				this.frameMax);
		return properties.dropped().isEmpty()
				? Optional.of(new OutboundMessage(exchange, routingKey, properties.properties(), body))
				: Optional.empty();
	}

	private Map<String, Object> followed(ParkedMessage message) {
		ParkedSummary parked = message.summary();
		Map<String, @Nullable Object> before = message.headers();
		Map<String, Object> headers = new HashMap<>();
		headers.put(ReplayHeaders.REPLAY_ITEM, parked.id());
		headers.put(ReplayHeaders.REPLAYED, true);
		headers.put(ReplayHeaders.REPLAY_ID, this.replayId);
		headers.put(ReplayHeaders.REPLAYED_BY, this.act.user());
		headers.put(ReplayHeaders.REPLAY_REASON, this.act.reason());
		headers.put(ReplayHeaders.ORIGINAL_DEATH_COUNT,
				sum(count(before, ReplayHeaders.ORIGINAL_DEATH_COUNT), parked.attempts()));
		headers.put(ReplayHeaders.REPLAY_COUNT, sum(count(before, ReplayHeaders.REPLAY_COUNT), 1));
		headers.put(ReplayHeaders.EARLIEST_FAILURE_AT, earliest(before, parked.firstSeenAt()).toString());
		headers.put(ReplayHeaders.PARKED_REASON, HeaderText.bounded(parked.reason(), LONGEST));
		headers.put(ReplayHeaders.PARKED_AT, parked.parkedAt().toString());
		return headers;
	}

	/** Some clients write whole numbers as longs. */
	private static long count(Map<String, @Nullable Object> headers, String name) {
		Object value = headers.get(name);
		boolean whole = value instanceof Integer || value instanceof Long;
		return whole ? Math.min(Math.max(0, ((Number) value).longValue()), Integer.MAX_VALUE) : 0;
	}

	private static int sum(long first, int second) {
		return (int) Math.min(first + second, Integer.MAX_VALUE);
	}

	private static Instant earliest(Map<String, @Nullable Object> headers, Instant firstFailure) {
		Object value = headers.get(ReplayHeaders.EARLIEST_FAILURE_AT);
		if (value instanceof String || value instanceof LongString) {
			try {
				Instant earlier = Instant.parse(value.toString());
				return earlier.isBefore(firstFailure) ? earlier : firstFailure;
			}
			catch (DateTimeException ex) {
				return firstFailure;
			}
		}
		return firstFailure;
	}

}
