/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ledger;

import org.springframework.dao.DataAccessResourceFailureException;

/**
 * Says that there is no ledger, since its database would be gone with its process.
 */
final class UnusedLedgerException extends DataAccessResourceFailureException {

	private static final long serialVersionUID = 1L;

	UnusedLedgerException() {
		super("The DataSource is an in-memory database, which the ledger uses only if rabbit-retry.ledger.enabled is true");
	}

}
