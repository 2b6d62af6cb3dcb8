/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.util.List;
import java.util.function.Consumer;

import io.github.rabbitretry.parking.replay.ReplayJob;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Tells many listeners, and keeps their failures from the replay.
 */
public final class ReplayListeners implements ReplayListener {

	private static final Log logger = LogFactory.getLog(ReplayListeners.class);

	private final List<ReplayListener> listeners;

	/**
	 * Creates the composite.
	 * @param listeners the listeners to notify, in this order
	 */
	public ReplayListeners(List<ReplayListener> listeners) {
		this.listeners = List.copyOf(listeners);
	}

	@Override
	public void published(String messageType, int count) {
		tell((listener) -> listener.published(messageType, count));
	}

	@Override
	public void failed(String messageType) {
		tell((listener) -> listener.failed(messageType));
	}

	@Override
	public void changed(String replayId, ReplayJob.State state) {
		tell((listener) -> listener.changed(replayId, state));
	}

	private void tell(Consumer<ReplayListener> event) {
		for (ReplayListener listener : this.listeners) {
			try {
				event.accept(listener);
			}
			catch (RuntimeException | Error ex) {
				logger.warn("Replay listener %s failed".formatted(listener.getClass().getName()), ex);
			}
		}
	}

}
