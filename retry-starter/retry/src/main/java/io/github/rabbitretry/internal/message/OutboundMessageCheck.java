/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.message;

import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.impl.ContentHeaderPropertyWriter;
import org.jspecify.annotations.Nullable;

/**
 * Finds out before anything is sent whether a message can be published at all, by
 * encoding it as the client will unless its texts are short enough anyway. The client
 * finds out too late: it has counted the publication by then, and the channel with all
 * that is unconfirmed on it has to be given up.
 * <p>
 * A received message is not always one that can be sent: bytes that are not UTF-8 take
 * three bytes each once they were decoded, so that a text of up to 255 bytes may exceed
 * 255 bytes when it is encoded again.
 */
public final class OutboundMessageCheck {

	/** The most bytes of a property, an exchange, a routing key or a header's name. */
	public static final int LONGEST_SHORT_STRING = 255;

	/**
	 * What a client that waits for answers on the same channel has for an address. The
	 * broker replaces it in what AMQP 0-9-1 clients publish, not in what others publish,
	 * and closes the channel of any other client that publishes it.
	 */
	static final String DIRECT_REPLY_TO = "amq.rabbitmq.reply-to";

	/**
	 * What a frame has before and after its payload, and a header before its properties.
	 */
	private static final int AROUND_PROPERTIES = 8 + 12;

	/** Ten short strings and what has a fixed length. */
	private static final int MOST_WITHOUT_HEADERS = 11 * (LONGEST_SHORT_STRING + 1);

	private OutboundMessageCheck() {
	}

	/**
	 * Says why a message can never be published.
	 * @param exchange where to
	 * @param routingKey with which key
	 * @param properties its properties
	 * @param frameMax the connection's largest frame in bytes, 0 for no limit
	 * @return why not, without a text of the message's own, or empty if it can be
	 * published
	 */
	public static Optional<String> problem(String exchange, String routingKey, BasicProperties properties,
			int frameMax) {
		if (!fits(exchange) || !fits(routingKey)) {
			return Optional.of("the exchange or the routing key is longer than 255 bytes");
		}
		return problem(properties, frameMax);
	}

	/**
	 * Says why no message with such properties can be published.
	 * @param properties the properties
	 * @param frameMax the connection's largest frame in bytes, 0 for no limit
	 * @return why not, without a text of the message's own, or empty if they can be
	 * published
	 */
	public static Optional<String> problem(BasicProperties properties, int frameMax) {
		if (DIRECT_REPLY_TO.equals(properties.getReplyTo())) {
			return Optional.of("reply-to is %s, which only a client that waits for replies may publish"
				.formatted(DIRECT_REPLY_TO));
		}
		if (surelyFits(properties, frameMax)) {
			return Optional.empty();
		}
		if (HeaderDepth.exceededIn(properties.getHeaders())) {
			return Optional.of("a header is nested too deep");
		}
		Counter counter = new Counter();
		try {
			properties.writePropertiesTo(new ContentHeaderPropertyWriter(new DataOutputStream(counter)));
		}
		catch (IOException | RuntimeException ex) {
			return Optional.of("a property or header can't be encoded (%s)".formatted(ex.getMessage()));
		}
		long frame = counter.bytes + AROUND_PROPERTIES;
		return (frameMax > 0 && frame > frameMax)
				? Optional.of("the headers take %s bytes, more than a frame of %s".formatted(frame, frameMax))
				: Optional.empty();
	}

	/** Nearly every message, without encoding it. */
	private static boolean surelyFits(BasicProperties properties, int frameMax) {
		Map<String, Object> headers = properties.getHeaders();
		return isShort(properties.getContentType()) && isShort(properties.getContentEncoding())
				&& isShort(properties.getCorrelationId()) && isShort(properties.getReplyTo())
				&& isShort(properties.getExpiration()) && isShort(properties.getMessageId())
				&& isShort(properties.getType()) && isShort(properties.getUserId()) && isShort(properties.getAppId())
				&& isShort(properties.getClusterId()) && (headers == null || OutboundProperties
					.mostBytes(headers) <= ((frameMax > 0) ? frameMax : Integer.MAX_VALUE) - MOST_WITHOUT_HEADERS);
	}

	/** No character of a text takes more than three bytes. */
	static boolean isShort(@Nullable String text) {
		return text == null || text.length() * 3L <= LONGEST_SHORT_STRING;
	}

	/**
	 * Whether a text can be a property, an exchange, a routing key or a header's name.
	 * @param text the text
	 * @return {@code false} if it takes more than 255 bytes
	 */
	public static boolean fits(@Nullable String text) {
		return text == null || isShort(text) || text.getBytes(StandardCharsets.UTF_8).length <= LONGEST_SHORT_STRING;
	}

	private static final class Counter extends OutputStream {

		private long bytes;

		@Override
		public void write(int octet) {
			this.bytes++;
		}

		@Override
		public void write(byte[] octets, int offset, int length) {
			this.bytes += length;
		}

	}

}
