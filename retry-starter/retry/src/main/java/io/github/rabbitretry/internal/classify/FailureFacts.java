/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.classify;

import java.util.List;
import java.util.Locale;

import io.github.rabbitretry.classify.FailedDelivery;
import org.jspecify.annotations.Nullable;

/**
 * What rules may ask of a failure, read once and only if a rule asks.
 */
final class FailureFacts {

	private final List<Throwable> chain;

	private final FailedDelivery delivery;

	private final String schemaVersionHeader;

	private @Nullable List<String> sqlStates;

	private @Nullable List<Integer> httpStatuses;

	FailureFacts(Throwable failure, FailedDelivery delivery, String schemaVersionHeader) {
		this.chain = HypotheticalFailure.chain(failure);
		this.delivery = delivery;
		this.schemaVersionHeader = schemaVersionHeader;
	}

	List<Throwable> chain() {
		return this.chain;
	}

	String messageType() {
		return this.delivery.messageType();
	}

	/** Every SQLState of the chain, in upper case. */
	List<String> sqlStates() {
		List<String> states = this.sqlStates;
		if (states == null) {
			states = this.chain.stream()
				.flatMap((cause) -> StatusExtractor.SQL.of(cause, String.class))
				.map((state) -> state.toUpperCase(Locale.ROOT))
				.distinct()
				.toList();
			this.sqlStates = states;
		}
		return states;
	}

	/** Every HTTP status of the chain. */
	List<Integer> httpStatuses() {
		List<Integer> statuses = this.httpStatuses;
		if (statuses == null) {
			statuses = this.chain.stream()
				.flatMap((cause) -> StatusExtractor.HTTP.of(cause, Integer.class))
				.filter(HttpStatusRange::isStatus)
				.distinct()
				.toList();
			this.httpStatuses = statuses;
		}
		return statuses;
	}

	@Nullable String schemaVersion() {
		Object value = this.delivery.properties().getHeaders().get(this.schemaVersionHeader);
		return (value != null) ? value.toString() : null;
	}

}
