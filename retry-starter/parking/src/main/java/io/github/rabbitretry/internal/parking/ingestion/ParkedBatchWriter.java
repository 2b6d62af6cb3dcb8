/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ingestion;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import io.github.rabbitretry.internal.logging.RateLimitedLog;
import io.github.rabbitretry.internal.parking.ledger.LedgerHealth;
import io.github.rabbitretry.internal.parking.ledger.LedgerStore;
import io.github.rabbitretry.internal.parking.mapping.AmqpPropertiesCodec;
import io.github.rabbitretry.internal.parking.mapping.LedgerPolicy;
import io.github.rabbitretry.internal.parking.mapping.ParkedRecord;
import io.github.rabbitretry.internal.parking.mapping.ParkedRecordMapper;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.dao.DataAccessResourceFailureException;

/**
 * Stores batches of parked messages, again and again while the database is away, and
 * tells who wants to know.
 */
final class ParkedBatchWriter {

	private static final Log logger = LogFactory.getLog(ParkedBatchWriter.class);

	private static final Duration SHORTEST_PAUSE = Duration.ofSeconds(1);

	private static final Duration LONGEST_PAUSE = Duration.ofSeconds(8);

	private final RateLimitedLog away = new RateLimitedLog(logger, Duration.ofSeconds(30));

	private final Map<String, LedgerPolicy> byParkingLot;

	private final ParkedRecordMapper rows;

	private final LedgerStore store;

	private final LedgerHealth health;

	private final ParkedMessageListeners listeners;

	private final CountDownLatch stopping;

	private final Adoption adoption;

	ParkedBatchWriter(Map<String, LedgerPolicy> byParkingLot, ParkedRecordMapper rows, LedgerStore store,
			LedgerHealth health, ParkedMessageListeners listeners, CountDownLatch stopping, Adoption adoption) {
		this.byParkingLot = byParkingLot;
		this.rows = rows;
		this.store = store;
		this.health = health;
		this.listeners = listeners;
		this.stopping = stopping;
		this.adoption = adoption;
	}

	/**
	 * Stores a batch, and does not return before that is done or can't be waited for any
	 * longer. Never throws but errors.
	 * @param batch what was delivered
	 * @param worthwhile whether what is stored can still be acknowledged
	 * @return the tags of what is stored and committed
	 */
	List<Long> write(List<ParkedDelivery> batch, BooleanSupplier worthwhile) throws InterruptedException {
		List<ParkedRecord> read = batch.stream().map(this::read).toList();
		List<ParkedRecord> unsaved = null;
		Duration pause = SHORTEST_PAUSE;
		while (worthwhile.getAsBoolean()) {
			try {
				unsaved = (unsaved != null) ? unsaved : this.store.save(read);
				report(read, unsaved);
				this.health.solved(LedgerHealth.NOT_WRITTEN);
				return stored(batch, read, unsaved);
			}
			catch (RuntimeException ex) {
				if (ex instanceof DataAccessResourceFailureException) {
					this.health.unavailable(ex);
				}
				else {
					this.health.problem(LedgerHealth.NOT_WRITTEN, ex);
				}
				this.away.warn("The ledger can't be written; parked messages stay in their queues", ex);
				if (this.stopping.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
					break;
				}
				pause = (pause.compareTo(LONGEST_PAUSE.dividedBy(2)) > 0) ? LONGEST_PAUSE : pause.multipliedBy(2);
			}
		}
		return (unsaved != null) ? stored(batch, read, unsaved) : List.of();
	}

	private ParkedRecord read(ParkedDelivery delivery) {
		LedgerPolicy policy = this.byParkingLot.get(delivery.queue());
		if (policy == null) {
			Adoption.Adopted adopted = this.adoption.read(delivery);
			return this.rows.read(adopted.policy(), adopted.properties(), delivery.body()).ofItsOwn();
		}
		return this.rows.read(policy, delivery.properties(), delivery.body()).ofItsOwn();
	}

	private List<Long> stored(List<ParkedDelivery> batch, List<ParkedRecord> read, List<ParkedRecord> unsaved) {
		List<Long> tags = new ArrayList<>(batch.size());
		for (int index = 0; index < read.size(); index++) {
			if (!among(unsaved, read.get(index))) {
				tags.add(batch.get(index).tag());
			}
		}
		if (!unsaved.isEmpty()) {
			this.health.problem(LedgerHealth.MESSAGE_REFUSED,
					"the database does not take %s parked messages of a batch; see the log".formatted(unsaved.size()));
		}
		return tags;
	}

	/** The very row: rows of equal messages are equal. */
	private static boolean among(List<ParkedRecord> rows, ParkedRecord row) {
		return rows.stream().anyMatch((candidate) -> candidate == row);
	}

	private void report(List<ParkedRecord> rows, List<ParkedRecord> unsaved) {
		if (this.listeners.none()) {
			return;
		}
		Map<ByteBuffer, Long> ids = this.store.ids(rows);
		for (ParkedRecord row : rows) {
			Long id = ids.get(ByteBuffer.wrap(row.key()));
			if (id != null && !among(unsaved, row)) {
				this.listeners.parked(AmqpPropertiesCodec.message(row.summary(id),
						AmqpPropertiesCodec.decode(row.properties()), row.body()));
			}
		}
	}

}
