/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.classify;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import io.github.rabbitretry.classify.FailedDelivery;

import org.springframework.util.function.SingletonSupplier;

/**
 * What rules may ask of a failure, read once and only if a rule asks.
 */
final class FailureFacts {

	private final List<Throwable> chain;

	private final FailedDelivery delivery;

	private final String schemaVersionHeader;

	private final SingletonSupplier<List<String>> sqlStates = SingletonSupplier
		.of(() -> codes(StatusExtractor.SQL, String.class).map((state) -> state.toUpperCase(Locale.ROOT))
			.distinct()
			.toList());

	private final SingletonSupplier<List<HttpStatusRange>> httpStatuses = SingletonSupplier
		.of(() -> codes(StatusExtractor.HTTP, Integer.class).filter(HttpStatusRange::isStatus)
			.distinct()
			.map((status) -> new HttpStatusRange(status, status))
			.toList());

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

	List<String> sqlStates() {
		return this.sqlStates.obtain();
	}

	List<HttpStatusRange> httpStatuses() {
		return this.httpStatuses.obtain();
	}

	private <T> Stream<T> codes(StatusExtractor extractor, Class<T> type) {
		return this.chain.stream().flatMap((cause) -> extractor.of(cause, type));
	}

	List<String> schemaVersion() {
		Object value = this.delivery.properties().getHeaders().get(this.schemaVersionHeader);
		return (value != null) ? List.of(value.toString()) : List.of();
	}

}
