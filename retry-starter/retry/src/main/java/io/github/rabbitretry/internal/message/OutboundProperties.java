/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.message;

import java.io.UnsupportedEncodingException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.LongString;
import com.rabbitmq.client.impl.Frame;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a copy: the original's, persistence included, without what the broker
 * made and without what would harm the copy, and with ours.
 * <p>
 * Taken off are the message's own time to live (no queue may mix them, and nothing may
 * expire in the parking lot), the producer's user id (the broker closes a channel that
 * publishes with another's) and carbon copies (the broker would route them again). They
 * stand in {@code x-app-origin-} headers.
 *
 * @param properties the properties
 * @param dropped the names of headers that did not fit
 */
public record OutboundProperties(BasicProperties properties, List<String> dropped) {

	/** RabbitMQ's default for the largest frame. */
	private static final int DEFAULT_FRAME = 131_072;

	/**
	 * Room for the other properties, of which none is longer than 255 bytes, and for the
	 * deaths that the broker will add: beyond a frame it closes the connection. A delay
	 * of many levels is as many deaths, 21 at most, each naming a queue, an exchange and
	 * a key.
	 */
	private static final int RESERVE = 24 * 1024;

	/** The least frame size, in bytes, that has room for headers of producers too. */
	public static final int SMALLEST_FRAME = RESERVE + 8 * 1024;

	/** Of nearly all messages; more only take a larger table. */
	private static final int MOST_HEADERS = 64;

	/** Of UTF-8; a pair of surrogates takes four for both. */
	private static final long MOST_PER_CHARACTER = 3;

	private static final Set<String> ROUTED_AGAIN = Set.of("CC", "BCC");

	/** Written anew on every hop, or not at all. */
	private static final Set<String> PER_HOP = Set.of(AppHeaders.RETRY_ATTEMPT, AppHeaders.RETRY_MAX,
			AppHeaders.RETRY_REASON, AppHeaders.RETRY_CLASS, AppHeaders.RETRY_DELAY, AppHeaders.RETRY_NOT_BEFORE,
			AppHeaders.CUMULATIVE_DELAY, AppHeaders.RETRY_LEVEL, AppHeaders.DOWNSTREAM_CALLS, AppHeaders.COST,
			AppHeaders.ESCALATED_AT, AppHeaders.QUARANTINED_AT, AppHeaders.FIRST_FAILURE_AT, AppHeaders.LAST_FAILURE_AT,
			AppHeaders.MESSAGE_TYPE, AppHeaders.CONSUMER, AppHeaders.OWNER, AppHeaders.EXCEPTION,
			AppHeaders.EXCEPTION_MESSAGE, AppHeaders.ROOT_EXCEPTION, AppHeaders.ROOT_EXCEPTION_MESSAGE,
			AppHeaders.EXCEPTION_FRAMES, AppHeaders.FAILURE_FINGERPRINT, AppHeaders.FAILURE_REASON,
			AppHeaders.PAYLOAD_HASH, AppHeaders.HANDLER_VERSION, AppHeaders.PARKED_AT, AppHeaders.ADOPTED_FROM,
			AppHeaders.REPLAY_POLICY, AppHeaders.DROPPED_HEADERS, AppHeaders.HANDOVER_ID);

	/**
	 * Makes the properties of a copy.
	 * @param received the original's
	 * @param ours our headers
	 * @param frameMax the connection's largest frame in bytes, 0 for no limit
	 * @return the properties; if headers had to be dropped, the largest foreign ones
	 * were, and a header names them
	 */
	public static OutboundProperties of(BasicProperties received, Map<String, Object> ours, int frameMax) {
		Map<String, Object> headers = new HashMap<>(MOST_HEADERS);
		Map<String, Object> before = received.getHeaders();
		if (before != null) {
			before.forEach((name, value) -> {
				if (!BrokerHeaders.madeByBroker(name) && !ROUTED_AGAIN.contains(name) && !isPerHop(name)) {
					headers.put(name, value);
				}
			});
		}
		headers.putAll(ours);
		List<String> dropped = fit(headers, ours, room(frameMax));
		return new OutboundProperties(received.builder().headers(headers).expiration(null).userId(null).build(),
				dropped);
	}

	/**
	 * Makes the properties of a copy that is not for a handler. What can't be published
	 * as it is stands in the header {@value AppHeaders#UNPUBLISHABLE} then.
	 * @param received the original's
	 * @param ours our headers
	 * @param frameMax the connection's largest frame in bytes, 0 for no limit
	 * @return properties that can be published
	 */
	public static OutboundProperties forParking(BasicProperties received, Map<String, Object> ours, int frameMax) {
		OutboundProperties asReceived = of(received, ours, frameMax);
		if (OutboundMessageCheck.problem(asReceived.properties(), frameMax).isEmpty()) {
			return asReceived;
		}
		UnpublishableProperties unpublishable = UnpublishableProperties.in(received, room(frameMax) / 2);
		Map<String, Object> headers = new HashMap<>(ours);
		headers.put(AppHeaders.UNPUBLISHABLE, unpublishable.moved());
		OutboundProperties rest = of(unpublishable.rest(), headers, frameMax);
		return rest.withDropped(unpublishable.dropped());
	}

	private OutboundProperties withDropped(List<String> names) {
		if (names.isEmpty()) {
			return this;
		}
		List<String> all = new ArrayList<>(names);
		all.addAll(this.dropped);
		Map<String, Object> headers = new HashMap<>(this.properties.getHeaders());
		headers.put(AppHeaders.DROPPED_HEADERS, HeaderText.bounded(String.join(",", all), 1024));
		return new OutboundProperties(this.properties.builder().headers(headers).build(), all);
	}

	private static int room(int frameMax) {
		return ((frameMax > 0) ? frameMax : DEFAULT_FRAME) - RESERVE;
	}

	/**
	 * Whether a header belongs to the last hop only, so that a copy does not inherit it.
	 * @param name the header's name
	 * @return {@code true} if it is left out unless it is written anew
	 */
	public static boolean isPerHop(String name) {
		return PER_HOP.contains(name);
	}

	private static List<String> fit(Map<String, Object> headers, Map<String, Object> ours, long room) {
		if (mostBytes(headers) <= room) {
			return List.of();
		}
		long size = Integer.BYTES
				+ headers.entrySet().stream().mapToLong((header) -> size(header.getKey(), header.getValue())).sum();
		if (size > room && headers.containsKey(AppHeaders.RETRY_HISTORY)) {
			// informational only: the first to go, and not worth a producer's header
			size -= size(AppHeaders.RETRY_HISTORY, headers.remove(AppHeaders.RETRY_HISTORY));
		}
		if (size <= room) {
			return List.of();
		}
		List<String> dropped = new ArrayList<>();
		List<String> foreign = headers.keySet()
			.stream()
			.filter((name) -> !ours.containsKey(name))
			.sorted(Comparator.comparingLong((String name) -> size(name, headers.get(name))).reversed())
			.toList();
		long target = room - 2048;
		for (String name : foreign) {
			if (size <= target) {
				break;
			}
			size -= size(name, headers.remove(name));
			dropped.add(name);
		}
		headers.put(AppHeaders.DROPPED_HEADERS, HeaderText.bounded(String.join(",", dropped), 1024));
		return dropped;
	}

	/**
	 * What headers take at most, without encoding them.
	 * @param headers the headers
	 * @return bytes, or {@link Long#MAX_VALUE} if that can't be calculated so simply
	 */
	static long mostBytes(Map<String, Object> headers) {
		long most = 4;
		for (Map.Entry<String, Object> header : headers.entrySet()) {
			String name = header.getKey();
			if (name == null || !OutboundMessageCheck.isShort(name)) {
				return Long.MAX_VALUE;
			}
			most += 1 + MOST_PER_CHARACTER * name.length() + 1;
			Object value = header.getValue();
			if (value instanceof String text) {
				most += 4 + MOST_PER_CHARACTER * text.length();
			}
			else if (value instanceof LongString text) {
				most += 4 + text.length();
			}
			else if (value instanceof Integer || value instanceof Long || value instanceof Boolean) {
				most += Long.BYTES;
			}
			else {
				return Long.MAX_VALUE;
			}
		}
		return most;
	}

	static long size(String name, @Nullable Object value) {
		Map<String, Object> one = new HashMap<>();
		one.put(name, value);
		try {
			// without the length of the table, which is in front of all of them
			return Frame.tableSize(one) - Integer.BYTES;
		}
		catch (StackOverflowError ex) {
			// nested too deep to be encoded: it fits nowhere
			return Integer.MAX_VALUE;
		}
		catch (UnsupportedEncodingException ex) {
			throw new IllegalStateException("UTF-8 is always supported", ex);
		}
	}

}
