/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.demo;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

import com.rabbitmq.client.Connection;
import io.github.rabbitretry.sample.outside.HandledOrders;
import io.github.rabbitretry.sample.outside.MessageTypeQueues;
import io.github.rabbitretry.sample.outside.Operator;
import io.github.rabbitretry.sample.outside.ParkedOrder;
import io.github.rabbitretry.sample.outside.ProgressPrinter;
import io.github.rabbitretry.sample.outside.WorkerProcess;

/**
 * One run: publish, watch until all is settled or nothing moves any more, draw up the
 * account.
 */
final class DemoRun {

	private static final Duration STALLED = Duration.ofSeconds(60);

	private final ProgressPrinter progress;

	private final WorkerProcess worker;

	private final Operator operator;

	private final Map<String, Kind> orders;

	private final HandledOrders handled = new HandledOrders();

	private final OrderPublisher publisher;

	private final MessageTypeQueues queues;

	private final Connection connection;

	private long inLedger;

	DemoRun(ProgressPrinter progress, Connection connection, WorkerProcess worker, Operator operator,
			Map<String, Kind> orders) {
		this.progress = progress;
		this.operator = operator;
		this.connection = connection;
		this.worker = worker;
		this.orders = orders;
		this.publisher = new OrderPublisher(connection);
		this.queues = new MessageTypeQueues(connection);
	}

	void startWorker() throws IOException {
		this.handled.listen(this.connection);
		this.worker.start();
	}

	/**
	 * Publishes and watches.
	 * @throws IOException if the broker can't be used
	 */
	void untilSettled() throws IOException {
		CompletableFuture<Void> publishing = CompletableFuture.runAsync(this::publish);
		Progress before = Progress.NONE;
		long began = System.nanoTime();
		long moved = began;
		while (true) {
			MessageTypeQueues.Depths depths = this.queues.depths();
			Progress now = new Progress(this.publisher.published(), this.handled.count(),
					MessageTypeQueues.Depths.sum(depths.work()), MessageTypeQueues.Depths.sum(depths.retry()),
					MessageTypeQueues.Depths.sum(depths.deadLetter()),
					inLedger() + MessageTypeQueues.Depths.sum(depths.parkingLots()), this.worker.crashes());
			long elapsed = System.nanoTime() - began;
			this.progress.progress(now.text(this.orders.size(), elapsed));
			if (publishing.isDone() && now.mayBeSettled(this.orders.size()) && settled()) {
				break;
			}
			if (!now.equals(before)) {
				moved = System.nanoTime();
				before = now;
			}
			if (this.worker.givenUp() || publishing.isCompletedExceptionally()) {
				break;
			}
			if (System.nanoTime() - moved > STALLED.toNanos()) {
				if (this.worker.healthy()) {
					break;
				}
				// a busy machine takes its time to start it again
				this.worker.awaitHealthy();
				moved = System.nanoTime();
			}
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(250));
		}
		try {
			publishing.join();
		}
		catch (CompletionException ex) {
			throw new IOException(String.valueOf(ex.getCause()), ex);
		}
	}

	private void publish() {
		try {
			this.publisher.publish(this.orders);
		}
		catch (IOException | TimeoutException ex) {
			throw new IllegalStateException("Orders could not be published", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while orders were published", ex);
		}
	}

	/** As the worker reports it; it may be dead just now. */
	private long inLedger() {
		try {
			this.inLedger = this.operator.parkedNow();
		}
		catch (IOException ex) {
			// what it said last, then
		}
		return this.inLedger;
	}

	private boolean settled() {
		try {
			return account(Kind::fate).exact();
		}
		catch (IOException ex) {
			return false;
		}
	}

	/**
	 * Draws up the account.
	 * @param fates what had to become of which kind by now
	 * @return the account
	 * @throws IOException if broker or worker do not answer
	 */
	Account account(Function<Kind, Fate> fates) throws IOException {
		return account(fates, this.operator.ledger());
	}

	/**
	 * Draws up the account from a ledger that was read before, so that it can be done
	 * while the worker is stopped and has given everything back.
	 * @param fates what had to become of which kind by now
	 * @param ledger the ledger
	 * @return the account
	 * @throws IOException if the broker does not answer
	 */
	Account account(Function<Kind, Fate> fates, List<ParkedOrder> ledger) throws IOException {
		return Account.of(this.orders, fates, this.handled.retriesById(), ledger, this.queues.depths().left());
	}

	/** What the worker's events say about an order. */
	List<Integer> events(String orderId) {
		return this.handled.events(orderId);
	}

	boolean sent(String orderId) {
		return this.orders.containsKey(orderId);
	}

	/**
	 * Where a run stands.
	 *
	 * @param published orders that the broker has confirmed
	 * @param handled orders that the worker reported
	 * @param waiting messages ready in work queues
	 * @param retrying messages in retry queues
	 * @param deadLettered messages in dead-letter queues
	 * @param parked messages in the ledger, and in parking lots on their way there
	 * @param crashes how often the worker died
	 */
	record Progress(int published, int handled, long waiting, long retrying, long deadLettered, long parked,
			int crashes) {

		private static final Progress NONE = new Progress(0, 0, 0, 0, 0, 0, 0);

		boolean mayBeSettled(int orders) {
			return this.handled + this.parked >= orders && this.waiting + this.retrying + this.deadLettered == 0;
		}

		String text(int orders, long nanos) {
			double seconds = Math.max(nanos / 1e9, 0.001);
			return "%5.1f s  sent %d of %d  waiting %d  handled %d (%.0f/s)  in retry %d  parked %d  died %dx"
				.formatted(seconds, this.published, orders, this.waiting, this.handled, this.handled / seconds,
						this.retrying, this.parked, this.crashes);
		}

	}

}
