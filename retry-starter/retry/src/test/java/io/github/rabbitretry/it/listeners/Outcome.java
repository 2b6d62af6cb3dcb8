/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it.listeners;

import java.util.List;
import java.util.Locale;

import io.github.rabbitretry.handler.ReturnMessageException;

/**
 * What becomes of a message, where a handler is called twice for each delivery and once
 * more after a delay. The name of it begins the message's id.
 */
enum Outcome {

	/** Handled at once. */
	SUCCESS(1, "acknowledged"),

	/** Handled by the second call of its first delivery. */
	LOCAL_RETRY(2, "acknowledged"),

	/** Handled by the second delivery. */
	DELAYED_RETRY(3, "retried", "acknowledged"),

	/** Never handled. */
	PARK(4, "retried", "parked"),

	/** Given back by the handler, and handled when it is delivered again. */
	RETURN(2, "returned", "acknowledged");

	private final int calls;

	private final List<String> events;

	Outcome(int calls, String... events) {
		this.calls = calls;
		this.events = List.of(events);
	}

	/**
	 * Does what leads to the outcome of a message.
	 * @param id the message's id
	 * @param call which call of its handler this is, 1 or more
	 */
	static void handle(String id, int call) {
		boolean done = call >= valueOf(id.substring(0, id.indexOf('-'))).calls && !id.startsWith(PARK.name());
		if (!done) {
			throw id.startsWith(RETURN.name()) ? ReturnMessageException.toQueue()
					: new IllegalStateException("the handler fails");
		}
	}

	/** How often the handler is called. */
	int calls() {
		return this.calls;
	}

	/** What is told of the message, in this order. */
	List<String> events() {
		return this.events;
	}

	@Override
	public String toString() {
		return name().toLowerCase(Locale.ROOT).replace('_', ' ');
	}

}
