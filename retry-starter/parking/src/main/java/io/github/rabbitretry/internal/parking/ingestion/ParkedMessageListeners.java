/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ingestion;

import java.time.Duration;
import java.util.List;

import io.github.rabbitretry.internal.logging.RateLimitedLog;
import io.github.rabbitretry.parking.message.ParkedMessage;
import io.github.rabbitretry.parking.message.ParkedMessageListener;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Tells many listeners, and keeps each one's failures from the others and from the
 * ledger.
 */
public final class ParkedMessageListeners implements ParkedMessageListener {

	/** Does nothing. */
	public static final ParkedMessageListeners NONE = new ParkedMessageListeners(List.of());

	private static final Log logger = LogFactory.getLog(ParkedMessageListeners.class);

	private final RateLimitedLog warning = new RateLimitedLog(logger, Duration.ofSeconds(10));

	private final List<ParkedMessageListener> listeners;

	/**
	 * Creates the composite.
	 * @param listeners the listeners to notify, in this order
	 */
	public ParkedMessageListeners(List<ParkedMessageListener> listeners) {
		this.listeners = List.copyOf(listeners);
	}

	boolean none() {
		return this.listeners.isEmpty();
	}

	@Override
	public void parked(ParkedMessage message) {
		for (ParkedMessageListener listener : this.listeners) {
			try {
				listener.parked(message);
			}
			catch (Exception | LinkageError | AssertionError ex) {
				this.warning.warn(() -> "Parked message listener %s failed at message %s: %s"
					.formatted(listener.getClass().getName(), message.summary().id(), ex.getClass().getName()));
				logger.debug("A parked message listener failed", ex);
			}
		}
	}

}
