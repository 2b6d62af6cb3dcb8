/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.actuate;

import io.github.rabbitretry.internal.connection.BrokerText;
import io.github.rabbitretry.internal.topology.BrokerFailure;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.AmqpException;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * The body of a request that was refused.
 */
public final class ErrorResponse implements OperationResponseBody, BrokerFailure {

	private static final Log logger = LogFactory.getLog(ErrorResponse.class);

	private static final int INTERNAL = 500;

	private final int status;

	private final String error;

	private final @Nullable RuntimeException failure;

	private ErrorResponse(int status, String error, @Nullable RuntimeException failure) {
		this.status = status;
		this.error = error;
		this.failure = failure;
	}

	/**
	 * The answer to a failed request. What the database or the broker said stays in the
	 * log: it may quote statements, names and values.
	 * @param failure what happened
	 * @return the response
	 */
	public static WebEndpointResponse<Object> to(RuntimeException failure) {
		if (failure instanceof EndpointException refusal) {
			return of(refusal.status(), String.valueOf(refusal.getMessage()));
		}
		if (failure instanceof InvalidEndpointRequestException invalid) {
			return of(EndpointException.BAD_REQUEST, String.valueOf(invalid.getReason()));
		}
		logger.error("A request to an actuator endpoint failed", failure);
		if (failure instanceof AmqpException) {
			int status = EndpointException.UNAVAILABLE;
			return new WebEndpointResponse<>(
					new ErrorResponse(status, "The broker can't be used now. See the log.", failure), status);
		}
		return of(INTERNAL, "The request failed. See the log.");
	}

	/**
	 * The answer with a status.
	 * @param status the HTTP status
	 * @param error why and what to do instead, for people
	 * @return the response
	 */
	public static WebEndpointResponse<Object> of(int status, String error) {
		return new WebEndpointResponse<>(new ErrorResponse(status, error, null), status);
	}

	/**
	 * Tells the status.
	 * @return the HTTP status
	 */
	public int getStatus() {
		return this.status;
	}

	/**
	 * Tells what is wrong.
	 * @return why and what to do instead, for people
	 */
	public String getError() {
		return this.error;
	}

	@Override
	public @Nullable String brokerText() {
		return (this.failure != null) ? BrokerText.of(this.failure) : null;
	}

}
