/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.actuate;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.amqp.AmqpException;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * The body of a request that was refused.
 *
 * @param status the HTTP status
 * @param error why and what to do instead, for people
 */
public record ErrorResponse(int status, String error) implements OperationResponseBody {

	private static final Log logger = LogFactory.getLog(ErrorResponse.class);

	private static final int INTERNAL = 500;

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
			return of(EndpointException.UNAVAILABLE, "The broker can't be used now. See the log.");
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
		return new WebEndpointResponse<>(new ErrorResponse(status, error), status);
	}

}
