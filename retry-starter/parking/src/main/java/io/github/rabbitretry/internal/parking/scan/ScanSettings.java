/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.scan;

import java.time.Duration;

/**
 * The bounds of a scan.
 *
 * @param messages how many messages of one parking lot are examined at most, from 1 to
 * {@value #MOST_MESSAGES}
 * @param bytes how many bytes of bodies, after which no further message is examined
 * @param patience how long to wait for a scan that is under way, for the next message,
 * and for the confirms of messages that are parked anew
 */
public record ScanSettings(int messages, long bytes, Duration patience) {

	/** RabbitMQ lets a consumer of a quorum queue hold at most this many. */
	public static final int MOST_MESSAGES = 2000;

	/** What a window may take in memory. */
	public static final long DEFAULT_BYTES = 64L * 1024 * 1024;

	/** Far below the broker's consumer timeout of 30 minutes. */
	public static final Duration DEFAULT_PATIENCE = Duration.ofSeconds(10);

	public ScanSettings {
		if (messages < 1 || messages > MOST_MESSAGES) {
			throw new IllegalArgumentException("%s messages are not from 1 to %s".formatted(messages, MOST_MESSAGES));
		}
	}

}
