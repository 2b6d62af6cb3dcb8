/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ingestion;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;

import io.github.rabbitretry.internal.message.BrokerHeaders;
import io.github.rabbitretry.internal.message.XDeath;
import org.jspecify.annotations.Nullable;

/**
 * All of {@code x-death}, the newest first. In a hand-made ring of retry queues, most of
 * it is the ring's.
 *
 * @param deaths what the broker recorded
 */
record BrokerDeaths(List<Death> deaths) {

	static BrokerDeaths of(Map<String, ?> headers) {
		List<Death> deaths = new ArrayList<>();
		if (headers.get(BrokerHeaders.DEATH) instanceof List<?> entries) {
			for (Object entry : entries) {
				// each by itself is read as the last one is
				XDeath.last(Map.of(BrokerHeaders.DEATH, List.of(entry)))
					.ifPresent((death) -> deaths.add(Death.of(death, (Map<?, ?>) entry)));
			}
		}
		return new BrokerDeaths(List.copyOf(deaths));
	}

	/**
	 * The death in the queue that a listener consumed.
	 * @param known whether a queue is a work queue
	 * @return the newest in a known work queue, else the newest that no time to live was
	 * the reason of, as retry queues are left by that, else the newest
	 */
	Optional<Death> inWorkQueue(Predicate<String> known) {
		return first((death) -> known.test(death.death().queue()))
			.or(() -> first((death) -> !death.death().reason().equals("expired")))
			.or(() -> first((death) -> true));
	}

	private Optional<Death> first(Predicate<Death> condition) {
		return this.deaths.stream().filter(condition).findFirst();
	}

	/** When it first died, as far as that is known. */
	Optional<Instant> oldest() {
		return this.deaths.stream().map(Death::time).filter(Objects::nonNull).min(Comparator.naturalOrder());
	}

	/**
	 * One entry.
	 *
	 * @param death why and where
	 * @param count how often
	 * @param time when first, or {@code null} if that can't be read
	 */
	record Death(XDeath death, int count, @Nullable Instant time) {

		static Death of(XDeath death, Map<?, ?> entry) {
			long count = (entry.get("count") instanceof Number number) ? number.longValue() : 1;
			return new Death(death, (int) Math.max(1, Math.min(count, Integer.MAX_VALUE)),
					(entry.get("time") instanceof Date date) ? date.toInstant() : null);
		}

	}

}
