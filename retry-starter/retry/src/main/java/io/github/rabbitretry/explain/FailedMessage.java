/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.explain;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.MessageProperties;
import org.springframework.util.Assert;

/**
 * A failing message, as far as it is relevant to a decision.
 *
 * @param messageType the policy's name
 * @param failure the exception that the listener throws
 * @param attempt the broker attempts made, 0 for a first delivery, or {@code null} to use
 * the headers
 * @param age the time since the first failure, or {@code null} to use the headers or,
 * without them, to assume that every attempt was made as early as possible
 * @param headers headers of the message
 * @param httpStatus an additional HTTP status of the failure, or {@code null}
 * @param sqlState an additional SQLState of the failure, or {@code null}
 */
public record FailedMessage(String messageType, Throwable failure, @Nullable Integer attempt, @Nullable Duration age,
		Map<String, Object> headers, @Nullable Integer httpStatus, @Nullable String sqlState) {

	/**
	 * Validates and copies the values.
	 * @throws IllegalArgumentException if the attempt or the age is negative
	 */
	public FailedMessage {
		Assert.isTrue(attempt == null || attempt >= 0, () -> "attempt %s must be 0 or more".formatted(attempt));
		Assert.isTrue(age == null || !age.isNegative(), () -> "age %s must not be negative".formatted(age));
		headers = new LinkedHashMap<>(headers);
	}

	/**
	 * Creates a first delivery without headers.
	 * @param messageType the policy's name
	 * @param failure what the listener throws
	 */
	public FailedMessage(String messageType, Throwable failure) {
		this(messageType, failure, null, null, Map.of(), null, null);
	}

	/**
	 * Returns this message after some attempts.
	 * @param made the broker attempts made, 0 or more
	 * @return the message
	 */
	public FailedMessage atAttempt(int made) {
		return new FailedMessage(this.messageType, this.failure, made, this.age, this.headers, this.httpStatus,
				this.sqlState);
	}

	/**
	 * Returns this message some time after its first failure.
	 * @param sinceFirstFailure that time, not negative
	 * @return the message
	 */
	public FailedMessage aged(Duration sinceFirstFailure) {
		return new FailedMessage(this.messageType, this.failure, this.attempt, sinceFirstFailure, this.headers,
				this.httpStatus, this.sqlState);
	}

	/**
	 * Returns this message with an additional header.
	 * @param name the header's name
	 * @param value its value
	 * @return the message
	 */
	public FailedMessage with(String name, Object value) {
		Map<String, Object> more = new LinkedHashMap<>(this.headers);
		more.put(name, value);
		return new FailedMessage(this.messageType, this.failure, this.attempt, this.age, more, this.httpStatus,
				this.sqlState);
	}

	/**
	 * Returns this message with the headers of another.
	 * @param properties the other's properties
	 * @return the message
	 */
	public FailedMessage with(MessageProperties properties) {
		return new FailedMessage(this.messageType, this.failure, this.attempt, this.age, properties.getHeaders(),
				this.httpStatus, this.sqlState);
	}

	/**
	 * Returns this message with codes that the exception itself does not have.
	 * @param status an HTTP status, or {@code null}
	 * @param state an SQLState, or {@code null}
	 * @return the message
	 */
	public FailedMessage withCodes(@Nullable Integer status, @Nullable String state) {
		return new FailedMessage(this.messageType, this.failure, this.attempt, this.age, this.headers, status, state);
	}

}
