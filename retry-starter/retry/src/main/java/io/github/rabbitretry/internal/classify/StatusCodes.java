/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.classify;

import java.util.Optional;

import io.github.rabbitretry.classify.FailureClassification;

/**
 * What the status of an HTTP response, a gRPC call or a statement says about trying
 * again.
 */
final class StatusCodes {

	private StatusCodes() {
	}

	static Optional<FailureClassification> ofHttp(int status) {
		return switch (status) {
			case 408, 504 -> Optional.of(Classifications.TIMEOUT);
			// a lost race resolves itself, since the handler runs again from the start
			// and reads the new state; any other conflict ends with the budget
			case 409, 423 -> Optional.of(Classifications.LOCK);
			case 412 -> Optional.of(Classifications.OPTIMISTIC_LOCK);
			case 425 -> Optional.of(Classifications.UNAVAILABLE);
			case 429 -> Optional.of(Classifications.RATE_LIMITED);
			// about the request, not about the server's state, for all that it is a 5xx
			case 501, 505 -> Optional.of(Classifications.DOWNSTREAM_REJECTED);
			default -> byHundreds(status);
		};
	}

	private static Optional<FailureClassification> byHundreds(int status) {
		return switch (status / 100) {
			case 4 -> Optional.of(Classifications.DOWNSTREAM_REJECTED);
			case 5 -> Optional.of(Classifications.UNAVAILABLE);
			default -> Optional.empty();
		};
	}

	static Optional<FailureClassification> readGrpc(Throwable failure) {
		return StatusExtractor.read(failure, "getStatus", "getCode").map(String::valueOf).flatMap(StatusCodes::ofGrpc);
	}

	/**
	 * A gRPC status code. {@code UNKNOWN}, {@code INTERNAL}, {@code DATA_LOSS} and
	 * {@code CANCELLED} say nothing about trying again.
	 */
	static Optional<FailureClassification> ofGrpc(String code) {
		return switch (code) {
			case "DEADLINE_EXCEEDED" -> Optional.of(Classifications.TIMEOUT);
			case "UNAVAILABLE" -> Optional.of(Classifications.UNAVAILABLE);
			case "RESOURCE_EXHAUSTED" -> Optional.of(Classifications.RATE_LIMITED);
			case "ABORTED" -> Optional.of(Classifications.LOCK);
			case "INVALID_ARGUMENT", "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED", "FAILED_PRECONDITION",
					"OUT_OF_RANGE", "UNIMPLEMENTED", "UNAUTHENTICATED" ->
				Optional.of(Classifications.DOWNSTREAM_REJECTED);
			default -> Optional.empty();
		};
	}

	static Optional<FailureClassification> readSql(Throwable failure) {
		return StatusExtractor.read(failure, "getSQLState").map(String::valueOf).flatMap(StatusCodes::ofSql);
	}

	/**
	 * An SQLState, for drivers that throw plain {@code SQLException}s. The first two
	 * characters are its class (ISO 9075); where a database stuffs different things into
	 * one class, the whole state decides.
	 */
	static Optional<FailureClassification> ofSql(String state) {
		return switch (state) {
			// PostgreSQL's statement_timeout; SQL Server's and ODBC's timeouts
			case "57014", "HYT00", "HYT01" -> Optional.of(Classifications.TIMEOUT);
			// PostgreSQL's lock_not_available; MySQL's lock wait timeout
			case "55P03", "41000" -> Optional.of(Classifications.LOCK);
			// a former primary after a failover is read only
			case "25006" -> Optional.of(Classifications.UNAVAILABLE);
			default -> (state.length() < 2) ? Optional.empty() : byClass(state.substring(0, 2));
		};
	}

	private static Optional<FailureClassification> byClass(String stateClass) {
		return switch (stateClass) {
			// connection; insufficient resources; operator intervention; system error
			case "08", "53", "57", "58" -> Optional.of(Classifications.UNAVAILABLE);
			// rolled back: serialization failure, deadlock
			case "40", "61" -> Optional.of(Classifications.LOCK);
			// the statement or its data is wrong, and will be wrong again
			case "07", "21", "22", "23", "27", "2A", "37", "42", "44", "65" -> Optional.of(Classifications.DATA_ACCESS);
			default -> Optional.empty();
		};
	}

}
