/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.handover;

import java.time.Duration;

import io.github.rabbitretry.internal.acknowledgement.Acknowledgement;

/**
 * What a delivery needs of which nothing is published, and that is never settled.
 */
public final class TestPublisher {

	private TestPublisher() {
	}

	public static ConfirmedPublisher of(String messageType) {
		return new ConfirmedPublisher(messageType,
				new PublisherConnection(new FakeConnections().factory(), (beside) -> {
				}), new HandoverSettings(1, Duration.ofSeconds(1), Duration.ofSeconds(1)), false, Runnable::run, () -> {
				}, () -> {
				});
	}

	public static Acknowledgement acknowledgement() {
		return new Acknowledgement(new FakeChannel().channel(), 1);
	}

}
