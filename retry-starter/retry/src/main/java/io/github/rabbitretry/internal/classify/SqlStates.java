/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.classify;

import java.util.Optional;

import io.github.rabbitretry.classify.FailureClassification;

/**
 * What an SQLState says, for drivers that throw plain {@code SQLException}s. The first
 * two characters are its class (ISO 9075); where a database stuffs different things into
 * one class, the whole state decides.
 */
final class SqlStates {

	private SqlStates() {
	}

	static Optional<FailureClassification> read(Throwable failure) {
		return ReflectiveCall.read(failure, "getSQLState").map(String::valueOf).flatMap(SqlStates::classification);
	}

	static Optional<FailureClassification> classification(String state) {
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
