/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.message;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A parked message with its body and headers.
 *
 * @param summary its summary
 * @param properties its properties as they were in the parking lot
 * @param headers its headers as they were there, with their types; a text is not
 * necessarily a {@code String}, but its {@code toString()} returns the text
 * @param body its body, or {@code null} if none is stored; see
 * {@link ParkedSummary#payload()} for whether it is unchanged
 */
public record ParkedMessage(ParkedSummary summary, Properties properties, Map<String, @Nullable Object> headers,
		byte @Nullable [] body) {

	public ParkedMessage {
		headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
	}

	/**
	 * The properties defined by AMQP 0-9-1, {@code null} if not set.
	 *
	 * @param contentType the content type
	 * @param contentEncoding the content encoding
	 * @param deliveryMode 2 if it is persistent
	 * @param priority its priority
	 * @param correlationId the correlation id
	 * @param replyTo the address for replies
	 * @param expiration its time to live in milliseconds
	 * @param messageId the message id
	 * @param timestamp when it was sent, in seconds
	 * @param type its type
	 * @param userId the user who sent it
	 * @param appId the application that sent it
	 * @param clusterId an obsolete property
	 */
	public record Properties(@Nullable String contentType, @Nullable String contentEncoding,
			@Nullable Integer deliveryMode, @Nullable Integer priority, @Nullable String correlationId,
			@Nullable String replyTo, @Nullable String expiration, @Nullable String messageId,
			@Nullable Instant timestamp, @Nullable String type, @Nullable String userId, @Nullable String appId,
			@Nullable String clusterId) {
	}

}
