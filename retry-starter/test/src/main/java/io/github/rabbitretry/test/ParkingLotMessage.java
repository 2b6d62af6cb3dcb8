/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.test;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.LongString;
import io.github.rabbitretry.internal.message.AppHeaders;
import org.jspecify.annotations.Nullable;

/**
 * A message in a parking lot.
 *
 * @param messageId its id, or {@code null}
 * @param headers its headers, texts as {@code String}
 * @param body its body
 */
public record ParkingLotMessage(@Nullable String messageId, Map<String, Object> headers, byte[] body) {

	static ParkingLotMessage of(GetResponse response) {
		Map<String, Object> headers = new LinkedHashMap<>();
		@Nullable Map<String, Object> received = response.getProps().getHeaders();
		if (received != null) {
			received
				.forEach((name, value) -> headers.put(name, (value instanceof LongString) ? value.toString() : value));
		}
		return new ParkingLotMessage(response.getProps().getMessageId(), Collections.unmodifiableMap(headers),
				response.getBody());
	}

	/**
	 * Why it is parked.
	 * @return the reason, empty if it has none
	 */
	public String reason() {
		return text(AppHeaders.RETRY_REASON);
	}

	/**
	 * Why it failed last, if a budget ended its retries.
	 * @return that reason, otherwise the reason for parking
	 */
	public String failureReason() {
		return this.headers.containsKey(AppHeaders.FAILURE_REASON) ? text(AppHeaders.FAILURE_REASON) : reason();
	}

	/**
	 * The kind of the last failure.
	 * @return the class as spelled in headers, such as {@code permanent-technical}
	 */
	public String failureClass() {
		return text(AppHeaders.RETRY_CLASS);
	}

	/**
	 * How often it was retried.
	 * @return the broker attempts made
	 */
	public int attempt() {
		return (this.headers.get(AppHeaders.RETRY_ATTEMPT) instanceof Number number) ? number.intValue() : 0;
	}

	/**
	 * What the listener threw.
	 * @return the class of the exception, followed by those of its causes, empty if it
	 * has none
	 */
	public String exception() {
		return text(AppHeaders.EXCEPTION);
	}

	private String text(String header) {
		return Objects.toString(this.headers.get(header), "");
	}

}
