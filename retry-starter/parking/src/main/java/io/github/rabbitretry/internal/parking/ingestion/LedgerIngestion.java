/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ingestion;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.rabbitmq.client.Connection;
import io.github.rabbitretry.internal.connection.ClientConnection;
import io.github.rabbitretry.internal.connection.FatalErrors;
import io.github.rabbitretry.internal.connection.LifecyclePhases;
import io.github.rabbitretry.internal.connection.QueueLookup;
import io.github.rabbitretry.internal.connection.StopDeadline;
import io.github.rabbitretry.internal.logging.BestEffortLog;
import io.github.rabbitretry.internal.logging.RateLimitedLog;
import io.github.rabbitretry.internal.parking.ledger.LedgerHealth;
import io.github.rabbitretry.internal.parking.ledger.LedgerSchema;
import io.github.rabbitretry.internal.parking.ledger.LedgerStore;
import io.github.rabbitretry.internal.parking.mapping.ProducerHeaderNames;
import io.github.rabbitretry.internal.parking.mapping.LedgerPolicy;
import io.github.rabbitretry.internal.parking.mapping.ParkedRecordMapper;
import io.github.rabbitretry.internal.thread.DaemonThreads;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.AmqpException;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Moves messages from the parking lots into the ledger. A message is acknowledged after
 * the transaction that stores it is committed, never before: if the process dies in
 * between, the message comes again and its row is found. While the database is away,
 * messages stay in their queues.
 */
public final class LedgerIngestion implements SmartLifecycle {

	private static final Log logger = LogFactory.getLog(LedgerIngestion.class);

	private static final Duration SHORTEST_PAUSE = Duration.ofMillis(500);

	private static final Duration LONGEST_PAUSE = Duration.ofSeconds(15);

	private static final Duration STOP = Duration.ofSeconds(10);

	/** For a queue after a delivery ended the connection, to learn which it was. */
	private static final Duration BY_ITSELF = Duration.ofSeconds(2);

	/** For a queue with such a message. */
	private static final Duration UNREADABLE = Duration.ofMinutes(10);

	private final RateLimitedLog lost = new RateLimitedLog(logger, Duration.ofSeconds(30));

	private final ConnectionFactory connectionFactory;

	private final LedgerSchema schema;

	private final Map<String, LedgerPolicy> byParkingLot;

	private final LedgerStore store;

	private final ParkedRecordMapper rows;

	private final IngestionSettings settings;

	private final boolean inMemoryToo;

	private final Map<String, Long> refused = new ConcurrentHashMap<>();

	private ParkedMessageListeners listeners = ParkedMessageListeners.NONE;

	private Adoption adoption = Adoption.NONE;

	private AdoptedQueues adopted;

	private CountDownLatch stopping = new CountDownLatch(1);

	private @Nullable StopDeadline deadline;

	private @Nullable Thread thread;

	/**
	 * Creates the ingestion of all policies' parking lots.
	 * @param connectionFactory leads to the broker
	 * @param schema the ledger's tables
	 * @param policies what is done with which message type
	 * @param headers where producers write what AMQP has no property for
	 * @param settings how much is taken at once
	 * @param inMemoryToo whether to move messages into a database that is gone with the
	 * process; else they stay in their queues
	 */
	public LedgerIngestion(ConnectionFactory connectionFactory, LedgerSchema schema, Collection<LedgerPolicy> policies,
			ProducerHeaderNames headers, IngestionSettings settings, boolean inMemoryToo) {
		this.connectionFactory = connectionFactory;
		this.schema = schema;
		this.inMemoryToo = inMemoryToo;
		this.byParkingLot = policies.stream().collect(Collectors.toMap(LedgerPolicy::parkingLot, Function.identity()));
		policies.forEach((policy) -> policy.former()
			.values()
			.forEach((lot) -> this.byParkingLot.putIfAbsent(lot, policy.ofParkingLot(lot))));
		this.store = new LedgerStore(schema);
		this.rows = new ParkedRecordMapper(headers, schema.clock());
		this.settings = settings;
		this.adopted = new AdoptedQueues(Set.of(), schema.health());
	}

	/**
	 * Sets the listener for stored messages, to be called before the start.
	 * @param listeners who
	 */
	public void setListeners(ParkedMessageListeners listeners) {
		this.listeners = listeners;
	}

	/**
	 * Consumes queues of other applications too, to be called before the start.
	 * @param adoption which
	 */
	public void adopt(Adoption adoption) {
		this.adoption = adoption;
		this.adopted = new AdoptedQueues(adoption.queues(), this.schema.health());
	}

	/**
	 * Bounds its stop, to be called before the start.
	 * @param deadline the time that a stop may take
	 */
	public void stopsWithin(StopDeadline deadline) {
		this.deadline = deadline;
	}

	/** One channel after the other; nothing that is thrown ends it but a stop. */
	private void run(CountDownLatch stop) {
		ParkedBatchWriter writer = new ParkedBatchWriter(this.byParkingLot, this.rows, this.store, this.schema.health(),
				this.listeners, stop, this.adoption);
		Duration pause = SHORTEST_PAUSE;
		try {
			while (stop.getCount() > 0) {
				long begun = System.nanoTime();
				// they come again
				this.schema.health().solved(LedgerHealth.MESSAGE_REFUSED);
				if (!work(queues(), writer, () -> stop.getCount() == 0)) {
					leaveUnreadableAlone(writer, stop);
				}
				if (System.nanoTime() - begun > LONGEST_PAUSE.toNanos()) {
					pause = SHORTEST_PAUSE;
				}
				long jitter = ThreadLocalRandom.current().nextLong(pause.toMillis());
				stop.await(pause.toMillis() + jitter, TimeUnit.MILLISECONDS);
				pause = (pause.compareTo(LONGEST_PAUSE.dividedBy(2)) > 0) ? LONGEST_PAUSE : pause.multipliedBy(2);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private boolean work(List<String> queues, ParkedBatchWriter writer, BooleanSupplier stopping)
			throws InterruptedException {
		try (IngestionSession session = new IngestionSession(connection(), queues, this.settings, this.refused,
				this.adopted, this.schema.health())) {
			return session.work(writer, stopping);
		}
		catch (InterruptedException ex) {
			throw ex;
		}
		catch (Throwable ex) {
			failed(ex);
			return true;
		}
	}

	/**
	 * Otherwise one message that can't be received would keep all queues from the ledger.
	 */
	private void leaveUnreadableAlone(ParkedBatchWriter writer, CountDownLatch stop) throws InterruptedException {
		List<String> unreadable = new ArrayList<>();
		for (String queue : queues()) {
			if (stop.getCount() == 0) {
				return;
			}
			long until = System.nanoTime() + BY_ITSELF.toNanos();
			if (!work(List.of(queue), writer, () -> stop.getCount() == 0 || System.nanoTime() - until > 0)) {
				this.refused.put(queue, System.nanoTime() + UNREADABLE.toNanos());
				unreadable.add(queue);
			}
		}
		if (unreadable.isEmpty()) {
			logger.warn(
					"A delivery ended the ledger's connection, and none does now. If this repeats, a message deep in a parking lot can't be read");
		}
		else {
			String problem = "each of %s holds a message that ends each connection, and is not consumed for ten minutes"
				.formatted(unreadable);
			logger.error(problem + ". Remove the message with another client");
			this.schema.health().problem(LedgerHealth.NOT_CONSUMED, problem);
		}
	}

	private List<String> queues() {
		return Stream.concat(this.byParkingLot.keySet().stream(), this.adoption.queues().stream()).toList();
	}

	private Connection connection() {
		return ClientConnection.delegate(this.connectionFactory.createConnection());
	}

	private void failed(Throwable ex) {
		this.schema.health().problem(LedgerHealth.NOT_CONSUMED, ex);
		if (ex instanceof Error) {
			FatalErrors.endProcessUpon(ex);
			BestEffortLog.error(logger, "The ledger's ingestion failed and begins again", ex);
		}
		else {
			this.lost.warn("Parking lots can't be consumed for now, what is parked stays there", ex);
		}
	}

	@Override
	public synchronized void start() {
		if (this.schema.inMemory() && !this.inMemoryToo) {
			logger.warn(new LedgerSchema.UnusedLedgerException().getMessage());
			return;
		}
		if (this.thread == null) {
			refuseStreams();
			CountDownLatch stop = new CountDownLatch(1);
			this.stopping = stop;
			Thread started = DaemonThreads.start("rabbit-retry-ledger", () -> run(stop));
			this.thread = started;
		}
	}

	/** Where the broker is away, they are found later. */
	private void refuseStreams() {
		if (this.adopted.isEmpty()) {
			return;
		}
		try (QueueLookup queues = new QueueLookup(connection())) {
			this.adopted.refuseStreams(queues);
		}
		catch (AmqpException ex) {
			logger.debug("Whether streams are to be adopted can't be found out yet", ex);
		}
	}

	/** Ends after the batch that is being stored, and gives the others back. */
	@Override
	public synchronized void stop() {
		Thread running = this.thread;
		if (running == null) {
			return;
		}
		this.stopping.countDown();
		try {
			StopDeadline stop = this.deadline;
			running.join(((stop != null) ? stop.ofBatches(STOP) : STOP).toMillis());
			if (running.isAlive()) {
				logger
					.warn("The ledger's ingestion has not ended in time; what was being stored may be delivered again");
				running.interrupt();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		this.thread = null;
	}

	@Override
	public synchronized boolean isRunning() {
		return this.thread != null;
	}

	@Override
	public int getPhase() {
		return LifecyclePhases.LEDGER;
	}

}
