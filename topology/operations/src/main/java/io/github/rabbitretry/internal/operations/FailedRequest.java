/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.operations;

import java.util.function.Supplier;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.github.rabbitretry.internal.broker.BrokerFailure;
import io.github.rabbitretry.internal.management.ManagementUnavailableException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.AmqpException;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.core.NestedExceptionUtils;

/**
 * The response to a request that failed.
 *
 * @param status the HTTP status
 * @param error what is wrong, for people
 * @param brokerText what the broker said, for users who may read the log
 */
record FailedRequest(int status, String error,
		@JsonIgnore @Nullable String brokerText) implements OperationResponseBody, BrokerFailure {

	private static final Log logger = LogFactory.getLog(FailedRequest.class);

	/** Runs an operation; what the broker said goes to the log only. */
	static Object answer(Supplier<Object> operation) {
		try {
			return operation.get();
		}
		catch (ManagementUnavailableException ex) {
			return of(WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE,
					"The management API cannot be used: %s. See rabbit-retry.broker.management-url."
						.formatted(ex.getMessage()),
					null);
		}
		catch (AmqpException ex) {
			logger.error("A request to an actuator endpoint failed", ex);
			return of(WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE, "The broker can't be used now. See the log.",
					String.valueOf(NestedExceptionUtils.getMostSpecificCause(ex).getMessage()));
		}
	}

	static WebEndpointResponse<Object> invalid(String error) {
		return of(WebEndpointResponse.STATUS_BAD_REQUEST, error, null);
	}

	static WebEndpointResponse<Object> unknown(String error) {
		return of(WebEndpointResponse.STATUS_NOT_FOUND, error, null);
	}

	private static WebEndpointResponse<Object> of(int status, String error, @Nullable String brokerText) {
		return new WebEndpointResponse<>(new FailedRequest(status, error, brokerText), status);
	}

}
