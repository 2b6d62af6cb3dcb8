/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.scan;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.github.rabbitretry.handover.Copy;
import io.github.rabbitretry.handover.CopyProperties;
import io.github.rabbitretry.ledger.ParkedSummary;
import io.github.rabbitretry.policy.MessagePolicy;
import io.github.rabbitretry.replay.Act;
import io.github.rabbitretry.topology.AppHeaders;
import io.github.rabbitretry.topology.DelayRoute;
import io.github.rabbitretry.topology.ReplayHeaders;
import org.jspecify.annotations.Nullable;

/**
 * The copy that goes back to the work queue: the same body, a new budget, its history and
 * who replayed it in headers.
 */
final class ReplayedCopy {

	private ReplayedCopy() {
	}

	/**
	 * The copy.
	 * @return the copy, or empty if headers would have to be dropped
	 */
	static Optional<Copy> of(MessagePolicy policy, Held held, ParkedSummary parked, String replayId, Act act,
			long handoverId) {
		Map<String, Object> received = new HashMap<>();
		if (held.properties().getHeaders() != null) {
			received.putAll(held.properties().getHeaders());
		}
		// of a replay that was followed; nobody follows this one
		received.remove(ReplayHeaders.REPLAY_ITEM);
		Map<String, Object> ours = new HashMap<>();
		ours.put(ReplayHeaders.REPLAYED, true);
		ours.put(ReplayHeaders.REPLAY_ID, replayId);
		ours.put(ReplayHeaders.REPLAYED_BY, act.user());
		ours.put(ReplayHeaders.REPLAY_REASON, act.reason());
		ours.put(ReplayHeaders.ORIGINAL_DEATH_COUNT,
				sum(received.get(ReplayHeaders.ORIGINAL_DEATH_COUNT), parked.attempts()));
		ours.put(ReplayHeaders.REPLAY_COUNT, sum(received.get(ReplayHeaders.REPLAY_COUNT), 1));
		if (!received.containsKey(ReplayHeaders.EARLIEST_FAILURE_AT)) {
			ours.put(ReplayHeaders.EARLIEST_FAILURE_AT, parked.firstSeenAt().toString());
		}
		ours.put(ReplayHeaders.PARKED_REASON, parked.reason());
		ours.put(ReplayHeaders.PARKED_AT, parked.parkedAt().toString());
		ours.put(AppHeaders.HANDOVER_ID, handoverId);
		BasicProperties stripped = held.properties().builder().headers(received).build();
		DelayRoute route = policy.topology().directRoute();
		CopyProperties properties = CopyProperties.of(stripped, ours, held.original().frameMax());
		return properties.dropped().isEmpty()
				? Optional.of(new Copy(route.exchange(), route.routingKey(), properties.properties(), held.body()))
				: Optional.empty();
	}

	private static int sum(@Nullable Object before, int more) {
		boolean whole = before instanceof Integer || before instanceof Long;
		long sum = (whole ? Math.max(0, ((Number) before).longValue()) : 0) + more;
		return (int) Math.min(sum, Integer.MAX_VALUE);
	}

}
