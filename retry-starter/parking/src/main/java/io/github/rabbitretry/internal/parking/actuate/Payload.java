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

import io.github.rabbitretry.parking.message.PayloadState;
import org.jspecify.annotations.Nullable;

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
