/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ledger;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.github.rabbitretry.internal.classify.CauseChain;
import io.github.rabbitretry.internal.health.HealthProblem;
import io.github.rabbitretry.internal.health.HealthSource;
import io.github.rabbitretry.internal.message.LogText;

/**
 * Why parked messages do not get into the ledger at the moment, or can't be searched.
 */
public final class LedgerHealth implements HealthSource {

	/** The database can't be reached or used. */
	public static final String UNAVAILABLE = "ledger-unavailable";

	/** The database is there, and parked messages can't be written all the same. */
	public static final String NOT_WRITTEN = "ledger-not-written";

	/** Single messages are refused by the database. */
	public static final String MESSAGE_REFUSED = "ledger-message-refused";

	/** Parked messages can't be consumed. */
	public static final String NOT_CONSUMED = "ledger-not-consumed";

	/** A queue to adopt has become a stream, which is not read. */
	public static final String ADOPTS_STREAM = "ledger-adopts-stream";

	private static final String SUBJECT = "ledger";

	private final Map<String, HealthProblem> problems = new ConcurrentHashMap<>();

	LedgerHealth() {
	}

	@Override
	public List<HealthProblem> problems() {
		return List.copyOf(this.problems.values());
	}

	/**
	 * The database can't be used.
	 * @param cause why
	 */
	public void unavailable(Throwable cause) {
		problem(UNAVAILABLE, cause);
	}

	/**
	 * Adds a problem, or replaces it.
	 * @param code which
	 * @param cause why
	 */
	public void problem(String code, Throwable cause) {
		Throwable root = CauseChain.root(cause);
		problem(code, root.getClass().getSimpleName() + ": " + LogText.of(String.valueOf(root.getMessage())));
	}

	/**
	 * Adds a problem, or replaces it.
	 * @param code which
	 * @param detail what is known of it
	 */
	public void problem(String code, String detail) {
		this.problems.put(code, new HealthProblem(code, SUBJECT, detail));
	}

	/**
	 * Removes a problem.
	 * @param code which
	 */
	public void solved(String code) {
		if (!this.problems.isEmpty()) {
			this.problems.remove(code);
		}
	}

}
