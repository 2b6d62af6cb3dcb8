/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.configuration;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.core.env.Environment;

/**
 * A dead-letter queue for the ledger to adopt.
 *
 * @param name the queue
 * @param messageType the type of messages whose work queue is not known, or {@code null}
 */
public record AdoptedQueue(String name, @Nullable String messageType) {

	/** A list, or a map with message types, which no one type of property can be. */
	static final ConfigurationPropertyName KEY = ConfigurationPropertyName.of("rabbit-retry.ledger.adopt");

	/**
	 * Reads both forms.
	 * @param environment where they are set
	 * @return the queues as they are written
	 */
	public static List<AdoptedQueue> in(Environment environment) {
		Binder binder = Binder.get(environment);
		return binder.bind(KEY, Bindable.listOf(String.class))
			.map((queues) -> queues.stream().map((queue) -> new AdoptedQueue(queue, null)).toList())
			.orElseGet(() -> binder.bind(KEY, Bindable.mapOf(String.class, String.class))
				.orElse(Map.of())
				.entrySet()
				.stream()
				.map((entry) -> new AdoptedQueue(entry.getKey(), entry.getValue().isEmpty() ? null : entry.getValue()))
				.toList());
	}

	@Override
	public String toString() {
		return (this.messageType != null) ? this.name + ": " + this.messageType : this.name;
	}

}
