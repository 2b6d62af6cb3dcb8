/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.actuate;

import io.github.rabbitretry.internal.actuate.EndpointException;
import io.github.rabbitretry.internal.actuate.ErrorResponse;
import io.github.rabbitretry.internal.parking.ledger.LedgerSchema;
import io.github.rabbitretry.parking.replay.ReplayRefusedException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.dao.DataAccessException;

/**
 * Answers to requests for parked messages and replays that failed.
 */
public final class ParkingErrors {

	private static final Log logger = LogFactory.getLog(ParkingErrors.class);

	private ParkingErrors() {
	}

	/**
	 * The answer to a failed request. What the database or the broker said stays in the
	 * log: it may quote statements, names and values.
	 * @param failure what happened
	 * @return the response
	 */
	public static WebEndpointResponse<Object> to(RuntimeException failure) {
		if (failure instanceof ReplayRefusedException refused) {
			return ErrorResponse.of(status(refused.kind()), String.valueOf(refused.getMessage()));
		}
		if (failure instanceof LedgerSchema.UnusedLedgerException unused) {
			return ErrorResponse.of(EndpointException.UNAVAILABLE, String.valueOf(unused.getMessage()));
		}
		if (failure instanceof DataAccessException) {
			logger.error("A request to an actuator endpoint failed", failure);
			return ErrorResponse.of(EndpointException.UNAVAILABLE,
					"The ledger's database can't be used now. See the log.");
		}
		return ErrorResponse.to(failure);
	}

	static <T> T require(@Nullable T service) {
		if (service != null) {
			return service;
		}
		throw EndpointException
			.forbidden("This application does not replay or discard: rabbit-retry.replay.enabled is false.");
	}

	private static int status(ReplayRefusedException.Kind kind) {
		return switch (kind) {
			case INVALID -> EndpointException.BAD_REQUEST;
			case UNKNOWN -> EndpointException.NOT_FOUND;
			case CONFLICT -> EndpointException.CONFLICT;
			case DISABLED -> EndpointException.FORBIDDEN;
		};
	}

}
