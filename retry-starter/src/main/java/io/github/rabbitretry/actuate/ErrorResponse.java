/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.actuate;

import io.github.rabbitretry.replay.ReplayRefusedException;
import io.github.rabbitretry.scan.ScanRefusedException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.amqp.AmqpException;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.dao.DataAccessException;

/**
 * The body of a request that was refused.
 *
 * @param status the HTTP status
 * @param error why and what to do instead, for people
 */
record ErrorResponse(int status, String error) implements OperationResponseBody {

	private static final Log logger = LogFactory.getLog(ErrorResponse.class);

	private static final int INTERNAL = 500;

	/**
	 * The answer to a failed request. What the database or the broker said stays in the
	 * log: it may quote statements, names and values.
	 * @param failure what happened
	 * @return the response
	 */
	static WebEndpointResponse<Object> to(RuntimeException failure) {
		if (failure instanceof EndpointException refusal) {
			return of(refusal.status(), String.valueOf(refusal.getMessage()));
		}
		if (failure instanceof ReplayRefusedException refused) {
			return of(status(refused.kind()), String.valueOf(refused.getMessage()));
		}
		if (failure instanceof ScanRefusedException refused) {
			if (!refused.busy()) {
				logger.warn("A parking lot can't be looked at", refused);
			}
			return of(refused.busy() ? EndpointException.CONFLICT : EndpointException.UNAVAILABLE,
					String.valueOf(refused.getMessage()));
		}
		if (failure instanceof InvalidEndpointRequestException invalid) {
			return of(EndpointException.BAD_REQUEST, String.valueOf(invalid.getReason()));
		}
		logger.error("A request to an actuator endpoint failed", failure);
		if (failure instanceof DataAccessException) {
			return of(EndpointException.UNAVAILABLE, "The ledger's database can't be used now. See the log.");
		}
		if (failure instanceof AmqpException) {
			return of(EndpointException.UNAVAILABLE, "The broker can't be used now. See the log.");
		}
		return of(INTERNAL, "The request failed. See the log.");
	}

	private static int status(ReplayRefusedException.Kind kind) {
		return switch (kind) {
			case INVALID -> EndpointException.BAD_REQUEST;
			case UNKNOWN -> EndpointException.NOT_FOUND;
			case CONFLICT -> EndpointException.CONFLICT;
			case DISABLED -> EndpointException.FORBIDDEN;
		};
	}

	private static WebEndpointResponse<Object> of(int status, String error) {
		return new WebEndpointResponse<>(new ErrorResponse(status, error), status);
	}

}
