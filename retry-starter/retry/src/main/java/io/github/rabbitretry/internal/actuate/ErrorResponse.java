/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.actuate;

import java.util.Map;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.amqp.AmqpException;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * Responses to requests that failed.
 */
public final class ErrorResponse {

	private static final Log logger = LogFactory.getLog(ErrorResponse.class);

	private ErrorResponse() {
	}

	/**
	 * The response to a failed request. What the database or the broker said stays in the
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
		return (failure instanceof AmqpException)
				? of(EndpointException.UNAVAILABLE, "The broker can't be used now. See the log.")
				: of(WebEndpointResponse.STATUS_INTERNAL_SERVER_ERROR, "The request failed. See the log.");
	}

	/**
	 * The response with a status.
	 * @param status the HTTP status
	 * @param error why and what to do instead, for people
	 * @return the response
	 */
	public static WebEndpointResponse<Object> of(int status, String error) {
		return new WebEndpointResponse<>(OperationResponseBody.of(Map.of("status", status, "error", error)), status);
	}

}
