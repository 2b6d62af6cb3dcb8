/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ledger;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.github.rabbitretry.internal.topology.HeaderText;
import org.jspecify.annotations.Nullable;

/**
 * Properties made fit to be written again. Text that is not UTF-8 takes more bytes once
 * it was read: 255 bytes of 0xFF become 765, and no property and no header's name may
 * have more than 255.
 */
final class ReadableProperties {

	private static final int LONGEST = 255;

	private static final int KEPT = 200;

	private static final int HASH = 8;

	private ReadableProperties() {
	}

	/**
	 * Makes properties fit to be written.
	 * @param received the properties as received
	 * @return the same if they can be written, or else with what is too long cut, and
	 * without headers if these can't be written all the same
	 */
	static BasicProperties of(BasicProperties received) {
		if (writable(received)) {
			return received;
		}
		BasicProperties cut = cut(received);
		return writable(cut) ? cut : cut.builder().headers(null).build();
	}

	private static boolean writable(BasicProperties properties) {
		try {
			AmqpPropertiesCodec.canonical(properties);
			return true;
		}
		catch (RuntimeException | StackOverflowError ex) {
			return false;
		}
	}

	private static BasicProperties cut(BasicProperties received) {
		return received.builder()
			.headers(cut(received.getHeaders()))
			.contentType(cut(received.getContentType()))
			.contentEncoding(cut(received.getContentEncoding()))
			.correlationId(cut(received.getCorrelationId()))
			.replyTo(cut(received.getReplyTo()))
			.expiration(cut(received.getExpiration()))
			.messageId(cut(received.getMessageId()))
			.type(cut(received.getType()))
			.userId(cut(received.getUserId()))
			.appId(cut(received.getAppId()))
			.clusterId(cut(received.getClusterId()))
			.build();
	}

	private static @Nullable Map<String, Object> cut(@Nullable Map<String, Object> headers) {
		if (headers == null) {
			return null;
		}
		Map<String, Object> cut = new HashMap<>();
		headers.forEach((name, value) -> cut.put(String.valueOf(cut(name)), value));
		return cut;
	}

	/** The hash keeps apart what differs beyond the cut only. */
	private static @Nullable String cut(@Nullable String text) {
		if (text == null || text.length() * 3L <= LONGEST || text.getBytes(StandardCharsets.UTF_8).length <= LONGEST) {
			return text;
		}
		byte[] hash = Hashes.sha256().digest(text.getBytes(StandardCharsets.UTF_8));
		return HeaderText.bounded(text, KEPT) + '#' + HexFormat.of().formatHex(hash, 0, HASH);
	}

}
