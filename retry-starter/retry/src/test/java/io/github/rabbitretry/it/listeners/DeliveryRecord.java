/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it.listeners;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.event.DeliveryListener;

/**
 * Writes down what is told of each message type.
 */
class DeliveryRecord implements DeliveryListener {

	private static final Map<String, List<String>> events = new ConcurrentHashMap<>();

	/**
	 * What was told of a message type since it was asked for last.
	 * @param messageType the type
	 * @return the events in their order, which still grows
	 */
	static List<String> renew(String messageType) {
		List<String> told = new CopyOnWriteArrayList<>();
		events.put(messageType, told);
		return told;
	}

	@Override
	public void acknowledged(String messageType) {
		tell(messageType, "acknowledged");
	}

	@Override
	public void retried(String messageType, String reason, FailureClass failureClass, Duration age) {
		tell(messageType, "retried");
	}

	@Override
	public void postponed(String messageType) {
		tell(messageType, "postponed");
	}

	@Override
	public void parked(String messageType, String reason, FailureClass failureClass) {
		tell(messageType, "parked");
	}

	@Override
	public void discarded(String messageType, String reason) {
		tell(messageType, "discarded");
	}

	@Override
	public void returned(String messageType) {
		tell(messageType, "returned");
	}

	@Override
	public void deadLettered(String messageType, String reason, FailureClass failureClass) {
		tell(messageType, "dead-lettered");
	}

	private static void tell(String messageType, String event) {
		events.computeIfAbsent(messageType, (type) -> new CopyOnWriteArrayList<>()).add(event);
	}

}
