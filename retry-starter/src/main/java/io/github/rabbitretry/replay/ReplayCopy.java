/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.replay;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

import com.rabbitmq.client.LongString;
import io.github.rabbitretry.handover.Copy;
import io.github.rabbitretry.handover.CopyProperties;
import io.github.rabbitretry.ledger.ParkedMessage;
import io.github.rabbitretry.ledger.ParkedSummary;
import io.github.rabbitretry.topology.AppHeaders;
import io.github.rabbitretry.topology.DelayRoute;
import io.github.rabbitretry.topology.HeaderText;
import io.github.rabbitretry.topology.ReplayHeaders;
import org.jspecify.annotations.Nullable;

/**
 * What is published of a parked message: the body and the properties as they were, a new
 * budget, and what came before in headers of its own.
 */
final class ReplayCopy {

	private static final int LONGEST = 255;

	private final String replayId;

	private final Act act;

	private final int frameMax;

	ReplayCopy(String replayId, Act act, int frameMax) {
		this.replayId = replayId;
		this.act = act;
		this.frameMax = frameMax;
	}

	/**
	 * A copy for the work queue.
	 * @param message the parked message
	 * @param route the way to the queue
	 * @return the copy, or empty if it can't be published as it was
	 */
	Optional<Copy> toWorkQueue(ParkedMessage message, DelayRoute route) {
		byte[] body = message.body();
		if (body == null) {
			return Optional.empty();
		}
		CopyProperties properties = CopyProperties.of(message.properties(), headers(message), this.frameMax);
		return properties.dropped().isEmpty()
				? Optional.of(new Copy(route.exchange(), route.routingKey(), properties.properties(), body))
				: Optional.empty();
	}

	/**
	 * A copy for people to look at: what the parking lot had, envelope included.
	 * @param message the parked message
	 * @param queue where to
	 * @return the copy, or empty if there is no body
	 */
	Optional<Copy> toTarget(ParkedMessage message, String queue) {
		byte[] body = message.body();
		if (body == null) {
			return Optional.empty();
		}
		Map<String, Object> ours = headers(message);
		Map<String, Object> received = message.properties().getHeaders();
		if (received != null) {
			received.forEach((name, value) -> {
				if (CopyProperties.tellsOfOneHop(name) && !name.equals(AppHeaders.HANDOVER_ID)) {
					ours.putIfAbsent(name, value);
				}
			});
		}
		CopyProperties properties = CopyProperties.of(message.properties(), ours, this.frameMax);
		return properties.dropped().isEmpty() ? Optional.of(new Copy("", queue, properties.properties(), body))
				: Optional.empty();
	}

	private Map<String, Object> headers(ParkedMessage message) {
		ParkedSummary summary = message.summary();
		Map<String, Object> before = message.properties().getHeaders();
		Map<String, Object> headers = new HashMap<>();
		headers.put(ReplayHeaders.REPLAYED, true);
		headers.put(ReplayHeaders.REPLAY_ID, this.replayId);
		headers.put(ReplayHeaders.REPLAY_ITEM, summary.id());
		headers.put(ReplayHeaders.REPLAYED_BY, this.act.user());
		headers.put(ReplayHeaders.REPLAY_REASON, this.act.reason());
		headers.put(ReplayHeaders.ORIGINAL_DEATH_COUNT,
				sum(count(before, ReplayHeaders.ORIGINAL_DEATH_COUNT), summary.attempts()));
		headers.put(ReplayHeaders.REPLAY_COUNT, sum(count(before, ReplayHeaders.REPLAY_COUNT), 1));
		headers.put(ReplayHeaders.EARLIEST_FAILURE_AT, earliest(before, summary.firstSeenAt()).toString());
		headers.put(ReplayHeaders.PARKED_REASON, HeaderText.bounded(summary.reason(), LONGEST));
		headers.put(ReplayHeaders.PARKED_AT, summary.parkedAt().toString());
		return headers;
	}

	private static int count(@Nullable Map<String, Object> headers, String name) {
		Object value = (headers != null) ? headers.get(name) : null;
		return (value instanceof Integer number && number > 0) ? number : 0;
	}

	private static int sum(int first, int second) {
		return (int) Math.min((long) first + second, Integer.MAX_VALUE);
	}

	private static Instant earliest(@Nullable Map<String, Object> headers, Instant firstFailure) {
		Object value = (headers != null) ? headers.get(ReplayHeaders.EARLIEST_FAILURE_AT) : null;
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
