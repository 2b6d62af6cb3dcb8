/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.message;

import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * A death that the broker recorded in {@code x-death}: why and from which queue it gave a
 * message up.
 *
 * @param reason {@code rejected}, {@code expired}, {@code maxlen} or
 * {@code delivery_limit}, as the broker spells it
 * @param queue the queue that the message was in
 * @param exchange the exchange that it had been published to
 * @param routingKey the first key that it had been published with
 */
public record XDeath(String reason, String queue, String exchange, String routingKey) {

	/**
	 * Reads the last death.
	 * @param headers the headers as received
	 * @return the newest entry of {@code x-death}, or empty if there is none that can be
	 * read
	 */
	public static Optional<XDeath> last(Map<String, ?> headers) {
		if (headers.get(BrokerHeaders.DEATH) instanceof List<?> deaths && !deaths.isEmpty()
				&& deaths.get(0) instanceof Map<?, ?> death) {
			return Optional
				.of(new XDeath(Objects.toString(death.get("reason"), ""), Objects.toString(death.get("queue"), ""),
						Objects.toString(death.get("exchange"), ""), firstKey(death.get("routing-keys"))));
		}
		return Optional.empty();
	}

	static Optional<Instant> oldest(Map<String, ?> headers, Instant now) {
		if (!(headers.get(BrokerHeaders.DEATH) instanceof List<?> deaths)) {
			return Optional.empty();
		}
		return deaths.stream()
			.filter(Map.class::isInstance)
			.map((death) -> ((Map<?, ?>) death).get("time"))
			.filter(Date.class::isInstance)
			.map((time) -> ((Date) time).toInstant())
			.filter((time) -> !time.isBefore(Instant.EPOCH) && !time.isAfter(now))
			.min(Instant::compareTo);
	}

	private static String firstKey(@Nullable Object keys) {
		return (keys instanceof List<?> list && !list.isEmpty()) ? Objects.toString(list.get(0), "") : "";
	}

}
