/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ingestion;

import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;

import io.github.rabbitretry.internal.connection.QueueLookup;
import io.github.rabbitretry.internal.parking.ledger.LedgerHealth;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Which adopted queues can't be consumed, reported once each. A stream can't: what is
 * read stays in it, and would be stored again by every consumer.
 */
final class AdoptedQueues {

	private static final Log logger = LogFactory.getLog(LedgerIngestion.class);

	private static final String PROPERTY = "rabbit-retry.ledger.adopt";

	private static final String STREAM = "is a stream, which keeps what is read: all of it would be stored again and again";

	private static final String REMEDY = "Remove it, and adopt a queue that the same messages are published to.";

	private final Set<String> names;

	private final LedgerHealth health;

	private final Set<String> missing = ConcurrentHashMap.newKeySet();

	private final Set<String> streams = new ConcurrentSkipListSet<>();

	AdoptedQueues(Set<String> names, LedgerHealth health) {
		this.names = new TreeSet<>(names);
		this.health = health;
	}

	boolean isEmpty() {
		return this.names.isEmpty();
	}

	/**
	 * Refuses streams before anything is consumed.
	 * @throws InvalidConfigurationException if a stream is to be adopted
	 */
	void refuseStreams(QueueLookup queues) {
		for (String queue : this.names) {
			if (queues.isStream(queue)) {
				throw new InvalidConfigurationException(PROPERTY, queue, STREAM, REMEDY);
			}
		}
	}

	/** A parking lot is missing until it is declared; what is adopted should be there. */
	void missing(String queue) {
		noStream(queue);
		if (this.names.contains(queue) && this.missing.add(queue)) {
			logger.warn("Queue '%s' of %s does not exist; it is adopted once it does".formatted(queue, PROPERTY));
		}
		else {
			logger.debug("Queue '%s' is not there yet".formatted(queue));
		}
	}

	/**
	 * Looks whether an adopted queue has become a stream, which is logged once.
	 * @return {@code false} for any other queue
	 * @throws IOException if that can't be found out
	 */
	boolean isStream(String queue, QueueLookup queues) {
		if (!this.names.contains(queue) || !queues.isStream(queue)) {
			noStream(queue);
			return false;
		}
		if (this.streams.add(queue)) {
			logger.error("Queue '%s' of %s %s. It is not read. %s".formatted(queue, PROPERTY, STREAM, REMEDY));
			report();
		}
		return true;
	}

	private void noStream(String queue) {
		if (this.streams.remove(queue)) {
			report();
		}
	}

	private void report() {
		if (this.streams.isEmpty()) {
			this.health.solved(LedgerHealth.ADOPTS_STREAM);
		}
		else {
			this.health.problem(LedgerHealth.ADOPTS_STREAM, "%s: %s".formatted(PROPERTY, this.streams));
		}
	}

}
