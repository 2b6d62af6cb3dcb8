/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.metrics;

import java.util.Collection;
import java.util.Locale;

import io.github.rabbitretry.event.DeliveryListener;
import io.github.rabbitretry.event.ReplayReference;
import io.github.rabbitretry.internal.depth.ParkedDepths;
import io.github.rabbitretry.internal.parking.publication.ReplayListener;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * Counts replayed messages, and exposes how many are parked.
 */
public final class MicrometerReplayListener implements ReplayListener, DeliveryListener {

	private static final String MESSAGE_TYPE = "message_type";

	private final MeterRegistry registry;

	/**
	 * Registers what is known from the start, so that it is there as zero.
	 * @param registry where meters go
	 * @param policies the message types, with their owners
	 * @param depths how many are parked
	 */
	public MicrometerReplayListener(MeterRegistry registry, Collection<MessagePolicy> policies, ParkedDepths depths) {
		this.registry = registry;
		for (MessagePolicy type : policies) {
			published(type.messageType());
			for (Failure failure : Failure.values()) {
				failure(type.messageType(), failure);
			}
			Gauge.builder("parking.lot.depth", depths, (source) -> source.count(type.messageType()))
				.description("Parked messages, in the ledger or still in the parking lot")
				.tags(MESSAGE_TYPE, type.messageType(), "owner", type.owner())
				.register(registry);
			Gauge
				.builder("parking.lot.oldest.age.seconds", depths,
						(source) -> source.oldestAgeSeconds(type.messageType()))
				.description("Time since the oldest of these was parked")
				.tags(MESSAGE_TYPE, type.messageType(), "owner", type.owner())
				.register(registry);
		}
	}

	@Override
	public void published(String messageType, int count) {
		published(messageType).increment(count);
	}

	@Override
	public void failed(String messageType) {
		failure(messageType, Failure.UNPUBLISHABLE).increment();
	}

	@Override
	public void replayEnded(String messageType, ReplayReference mark, ReplayReference.Outcome outcome) {
		if (outcome != ReplayReference.Outcome.SUCCEEDED) {
			failure(messageType, Failure.valueOf(outcome.name())).increment();
		}
	}

	private Counter published(String messageType) {
		return Counter.builder("replay")
			.description("Replayed messages that the broker confirmed")
			.tag(MESSAGE_TYPE, messageType)
			.register(this.registry);
	}

	private Counter failure(String messageType, Failure failure) {
		return Counter.builder("replay.failure")
			.description("Replayed messages that did not succeed, or could not be published")
			.tags(MESSAGE_TYPE, messageType, "failure", failure.name().toLowerCase(Locale.ROOT))
			.register(this.registry);
	}

	private enum Failure {

		PARKED_AGAIN, DISCARDED, UNPUBLISHABLE

	}

}
