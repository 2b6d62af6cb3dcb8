/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.metrics;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

import io.github.rabbitretry.internal.depth.ParkedDepth;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.AmqpException;
import org.springframework.dao.DataAccessException;

/**
 * What is parked: in the ledger, and in the parking lots that the ledger is filled from.
 * None is counted twice: what is on its way into the ledger is not ready in its queue. So
 * a message may be counted in neither for one look, as it moves while they are asked.
 * While the database is away its last answer counts, and the queues grow.
 */
public final class DepthsWithQueues implements Supplier<Map<String, ParkedDepth>> {

	private static final Log logger = LogFactory.getLog(DepthsWithQueues.class);

	private final Supplier<Map<String, ParkedDepth>> ledger;

	private final Supplier<Map<String, ParkedDepth>> queues;

	private @Nullable Map<String, ParkedDepth> stored;

	/**
	 * Creates the depths.
	 * @param ledger asks the database
	 * @param queues asks the broker
	 */
	public DepthsWithQueues(Supplier<Map<String, ParkedDepth>> ledger, Supplier<Map<String, ParkedDepth>> queues) {
		this.ledger = ledger;
		this.queues = queues;
	}

	@Override
	public synchronized Map<String, ParkedDepth> get() {
		Map<String, ParkedDepth> depths = new HashMap<>(stored());
		queued().forEach((type, depth) -> depths.merge(type, depth, DepthsWithQueues::sum));
		return depths;
	}

	private Map<String, ParkedDepth> stored() {
		try {
			Map<String, ParkedDepth> answer = this.ledger.get();
			this.stored = answer;
			return answer;
		}
		catch (DataAccessException ex) {
			Map<String, ParkedDepth> last = this.stored;
			if (last == null) {
				throw ex;
			}
			logger.debug("How many messages are in the ledger is not known for now", ex);
			return last;
		}
	}

	private Map<String, ParkedDepth> queued() {
		try {
			Map<String, ParkedDepth> depths = new HashMap<>(this.queues.get());
			depths.values().removeIf(ParkedDepth.UNKNOWN::equals);
			return depths;
		}
		catch (AmqpException ex) {
			logger.debug("How many messages are in the parking lots is not known for now", ex);
			return Map.of();
		}
	}

	private static ParkedDepth sum(ParkedDepth stored, ParkedDepth queued) {
		Instant oldest = stored.oldest().isBefore(queued.oldest()) ? stored.oldest() : queued.oldest();
		return new ParkedDepth(stored.count() + queued.count(), oldest);
	}

}
