/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.scan;

import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.rabbitretry.internal.topology.AppHeaders;
import io.github.rabbitretry.parking.message.ParkedMessage;

/**
 * A message of the window, and what it says.
 *
 * @param held the message
 * @param parked what it says
 */
record WindowMessage(UnackedMessage held, ParkedMessage parked) {

	long id() {
		return this.parked.summary().id();
	}

	/**
	 * Whether no other message has this one's id.
	 * @return {@code false} if an equal one may be there, since neither says when it was
	 * parked
	 */
	boolean identified() {
		Map<String, Object> headers = this.parked.properties().getHeaders();
		return headers != null && headers.containsKey(AppHeaders.PARKED_AT);
	}

	/**
	 * Takes messages out. Not by equality, which would compare whole messages.
	 * @param messages the messages
	 * @param others those to take out
	 * @return the rest
	 */
	static List<WindowMessage> without(List<WindowMessage> messages, Collection<WindowMessage> others) {
		Set<WindowMessage> out = Collections.newSetFromMap(new IdentityHashMap<>());
		out.addAll(others);
		return messages.stream().filter((message) -> !out.contains(message)).toList();
	}

}
