/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.actuate;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import com.rabbitmq.client.LongString;
import io.github.rabbitretry.internal.message.AppHeaders;
import io.github.rabbitretry.internal.message.AttemptHistory;
import io.github.rabbitretry.internal.message.BrokerHeaders;
import io.github.rabbitretry.internal.message.HeaderDepth;
import io.github.rabbitretry.internal.message.HeaderText;
import io.github.rabbitretry.internal.message.ReplayHeaders;
import io.github.rabbitretry.parking.message.ParkedMessage;
import io.github.rabbitretry.parking.message.ParkedSummary;
import io.github.rabbitretry.parking.message.PayloadState;
import io.github.rabbitretry.parking.replay.ParkedMessageService;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * One message. A producer's headers may disclose as much as the payload, and are shown
 * with it only.
 *
 * @param message what is known of it
 * @param history what became of its last attempts, a line each, oldest first
 * @param properties its properties
 * @param headers its headers as text: all with the payload, else those that Rabbit Retry
 * or the broker wrote
 * @param hiddenHeaders the names of the others
 * @param payload its body, if requested
 * @param replayedBy the replay that published it, if it is replayed
 * @param discardedBy the audit's entry of the act that discarded it, if it is discarded
 */
record ParkedDetails(ParkedSummary message, List<String> history, Map<String, String> properties,
		Map<String, String> headers, @Nullable List<String> hiddenHeaders, @Nullable Payload payload,
		@Nullable String replayedBy, @Nullable Long discardedBy) implements OperationResponseBody {

	private static final int LONGEST_VALUE = 4096;

	static ParkedDetails of(ParkedMessage message, boolean whole, ParkedMessageService.Removal removal) {
		Map<String, String> shown = new TreeMap<>();
		Map<String, String> hidden = new TreeMap<>();
		message.headers().forEach((name, value) -> ((whole || ours(name)) ? shown : hidden).put(name, text(value)));
		return new ParkedDetails(message.summary(), history(message.headers()), properties(message.properties()), shown,
				hidden.isEmpty() ? null : List.copyOf(hidden.keySet()),
				whole ? Payload.of(message.summary().payload(), message.body()) : null, removal.replayId(),
				removal.auditId());
	}

	private static List<String> history(Map<String, @Nullable Object> headers) {
		Object history = headers.get(AppHeaders.RETRY_HISTORY);
		return (history instanceof String || history instanceof LongString) ? AttemptHistory.lines(history.toString())
				: List.of();
	}

	private static boolean ours(String name) {
		return name.startsWith(AppHeaders.PREFIX) || name.startsWith("x-replay")
				|| name.equals(ReplayHeaders.ORIGINAL_DEATH_COUNT) || BrokerHeaders.madeByBroker(name);
	}

	private static String text(@Nullable Object value) {
		if (HeaderDepth.exceeded(value)) {
			return "nested too deep";
		}
		String text = (value instanceof byte[] bytes) ? Base64.getEncoder().encodeToString(bytes)
				: String.valueOf(value);
		return HeaderText.bounded(text, LONGEST_VALUE);
	}

	private static Map<String, String> properties(ParkedMessage.Properties properties) {
		Map<String, String> shown = new TreeMap<>();
		put(shown, "appId", properties.appId());
		put(shown, "contentEncoding", properties.contentEncoding());
		put(shown, "contentType", properties.contentType());
		put(shown, "correlationId", properties.correlationId());
		put(shown, "deliveryMode", properties.deliveryMode());
		put(shown, "messageId", properties.messageId());
		put(shown, "priority", properties.priority());
		put(shown, "replyTo", properties.replyTo());
		put(shown, "timestamp", properties.timestamp());
		put(shown, "type", properties.type());
		return shown;
	}

	private static void put(Map<String, String> shown, String name, @Nullable Object value) {
		if (value != null) {
			shown.put(name, value.toString());
		}
	}

	/**
	 * A body as JSON can hold it.
	 *
	 * @param state whether it is the body as it was parked
	 * @param size how many bytes
	 * @param encoding {@code text} if the bytes are UTF-8, else {@code base64}
	 * @param content the body, or {@code null} if none is stored
	 */
	record Payload(PayloadState state, int size, @Nullable String encoding, @Nullable String content) {

		static Payload of(PayloadState state, byte @Nullable [] body) {
			if (body == null) {
				return new Payload(state, 0, null, null);
			}
			try {
				// a new decoder reports what a String would replace
				String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
				return new Payload(state, body.length, "text", text);
			}
			catch (CharacterCodingException ex) {
				return new Payload(state, body.length, "base64", Base64.getEncoder().encodeToString(body));
			}
		}

	}

}
