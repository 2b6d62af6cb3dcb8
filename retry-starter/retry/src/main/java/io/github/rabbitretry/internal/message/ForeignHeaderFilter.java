/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.message;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

import io.github.rabbitretry.internal.logging.RateLimitedLog;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.topology.MessageTopology;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a delivery came back to its queue, and removes the headers of retries,
 * parking and replay that were written for another one. All that reads such a header of a
 * delivery reads what is left.
 * <p>
 * What the broker says of a delivery can't be chosen by who forwards a message: it came
 * back if it came through the retry exchange, the ladder or the dead-letter exchange
 * (which leads to the quarantine). It came back too if it was sent to the queue by the
 * default exchange and {@code x-app-origin-queue} names that queue: so does a retry or a
 * replay of a queue that is not ours, and what an operator moves back with a shovel.
 * {@code x-death} proves nothing: RabbitMQ delivers a client's as it was sent. But a
 * message that names no expiry there has not waited, so that its queue's name alone makes
 * it wait for nothing.
 * <p>
 * What bounds the work stays also where only one of the two shows that it came back:
 * believing it can only shorten the work. A message through any exchange whose routing
 * key and {@code x-app-origin-queue} are the queue's name may have waited in retry queues
 * of former names, or of an operator; one that names no queue may be older than that
 * header.
 */
public final class ForeignHeaderFilter {

	private static final RateLimitedLog removed = new RateLimitedLog(LogFactory.getLog(ForeignHeaderFilter.class),
			Duration.ofMinutes(10));

	/** Where and what the message was first, and the replay that it belongs to. */
	private static final Set<String> ORIGIN = Set.of(AppHeaders.ORIGIN_EXCHANGE, AppHeaders.ORIGIN_ROUTING_KEY,
			AppHeaders.ORIGIN_QUEUE, AppHeaders.ORIGIN_MESSAGE_ID, AppHeaders.ORIGIN_EXPIRATION,
			AppHeaders.ORIGIN_USER_ID, AppHeaders.ORIGIN_CC, ReplayHeaders.REPLAYED, ReplayHeaders.REPLAY_ID,
			ReplayHeaders.REPLAY_ITEM, ReplayHeaders.REPLAYED_BY, ReplayHeaders.REPLAY_REASON,
			ReplayHeaders.ORIGINAL_DEATH_COUNT, ReplayHeaders.REPLAY_COUNT, ReplayHeaders.EARLIEST_FAILURE_AT,
			ReplayHeaders.PARKED_REASON, ReplayHeaders.PARKED_AT, ReplayHeaders.EDITED_MESSAGE_ID);

	/** What has a message wait on that came back before its time. */
	private static final Set<String> WAIT = Set.of(AppHeaders.RETRY_NOT_BEFORE, AppHeaders.RETRY_DELAY);

	private ForeignHeaderFilter() {
	}

	/**
	 * A delivery without the headers that were written for another queue.
	 * @param policy the policy of its queue
	 * @param received the message as received
	 * @return the same one if there is nothing to remove
	 */
	public static ReceivedMessage removed(MessagePolicy policy, ReceivedMessage received) {
		Map<String, Object> headers = received.properties().getHeaders();
		if (headers == null || headers.isEmpty()) {
			return received;
		}
		MessageTopology topology = policy.topology();
		if (topology.bringsBack(received.exchange())) {
			return received;
		}
		String key = received.routingKey();
		boolean byName = topology.handles(key);
		String origin = HeaderText.of(headers.get(AppHeaders.ORIGIN_QUEUE));
		boolean sentToQueue = byName && received.exchange().isEmpty();
		boolean ofQueue = topology.isWorkQueue(origin);
		if (!(sentToQueue && origin == null) && !(byName && ofQueue)) {
			return without(policy, received, headers, origin, ForeignHeaderFilter::written);
		}
		boolean waited = XDeath.last(headers).filter((death) -> death.reason().equals("expired")).isPresent();
		return without(policy, received, headers, origin,
				(name) -> !(sentToQueue && ofQueue) && ORIGIN.contains(name) || !waited && WAIT.contains(name));
	}

	private static boolean written(String name) {
		return OutboundProperties.isPerHop(name) || name.equals(AppHeaders.RETRY_HISTORY) || ORIGIN.contains(name);
	}

	private static ReceivedMessage without(MessagePolicy policy, ReceivedMessage received, Map<String, Object> headers,
			@Nullable String origin, Predicate<String> foreign) {
		boolean any = false;
		for (String name : headers.keySet()) {
			any |= foreign.test(name);
		}
		if (!any) {
			return received;
		}
		removed.warn(() -> ("A message of '%s' has headers of retries, parking or replay, but did not come back from "
				+ "there (exchange %s, routing key %s, x-app-origin-queue %s). They are ignored and not copied")
			.formatted(policy.messageType(), LogText.of(received.exchange()), LogText.of(received.routingKey()),
					LogText.of(String.valueOf(origin))));
		Map<String, Object> rest = new HashMap<>(headers);
		rest.keySet().removeIf(foreign);
		return new ReceivedMessage(received.properties().builder().headers(rest).build(), received.body(),
				received.exchange(), received.routingKey(), received.queue());
	}

}
