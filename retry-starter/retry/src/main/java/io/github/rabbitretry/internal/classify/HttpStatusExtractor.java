/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.classify;

import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;

import io.github.rabbitretry.classify.FailureClassification;

/**
 * Reads an HTTP client's exception: the status, and for failures worth a retry the
 * {@code Retry-After} header.
 *
 * @param clock the time that a date in the header is compared with
 * @param status the getters that lead from the exception to the status code
 * @param headers the getters that lead from the exception to the response headers
 */
record HttpStatusExtractor(Clock clock, String[] status, String[] headers) implements ExceptionMappings.Reading {

	private static final String RETRY_AFTER = "Retry-After";

	@Override
	public Optional<FailureClassification> read(Throwable failure) {
		return StatusExtractor.read(failure, this.status)
			.filter(Integer.class::isInstance)
			.flatMap((code) -> StatusCodes.ofHttp((Integer) code))
			.map((classification) -> classification.failureClass().retryable() ? withRetryAfter(classification, failure)
					: classification);
	}

	private FailureClassification withRetryAfter(FailureClassification classification, Throwable failure) {
		Optional<Duration> delay = StatusExtractor.read(failure, this.headers)
			.flatMap(HttpStatusExtractor::retryAfter)
			.flatMap((value) -> RetryAfter.parse(value, this.clock));
		return new FailureClassification(classification.failureClass(), classification.reason(), delay.orElse(null));
	}

	private static Optional<String> retryAfter(Object headers) {
		if (headers instanceof Map<?, ?> map) {
			return map.entrySet()
				.stream()
				.filter((header) -> RETRY_AFTER.equalsIgnoreCase(String.valueOf(header.getKey())))
				.flatMap((header) -> (header.getValue() instanceof Collection<?> values) ? values.stream().limit(1)
						: Optional.ofNullable(header.getValue()).stream())
				.map(String::valueOf)
				.findFirst();
		}
		// Spring's HttpHeaders, which is no Map since 7.0, and okhttp's Headers
		return StatusExtractor.call(headers, "getFirst", RETRY_AFTER)
			.or(() -> StatusExtractor.call(headers, "get", RETRY_AFTER))
			.map(String::valueOf);
	}

}
