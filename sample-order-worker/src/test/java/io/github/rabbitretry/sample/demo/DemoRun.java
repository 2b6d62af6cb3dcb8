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

import com.rabbitmq.client.Connection;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * One run: publish, watch until all is settled or nothing moves any more, draw up the
 * account.
 */
final class DemoRun {

	private static final Duration STALLED = Duration.ofSeconds(60);

	private static final Duration START = Duration.ofMinutes(3);

	private final Screen screen;

	private final WorkerProcess worker;

	private final Map<String, Kind> orders;

	private final HandledOrders handled = new HandledOrders();

	private final OrderPublisher publisher;

	private final Queues queues;

	private final Connection connection;

	DemoRun(Screen screen, Connection connection, WorkerProcess worker, Map<String, Kind> orders) {
		this.screen = screen;
		this.connection = connection;
		this.worker = worker;
		this.orders = orders;
		this.publisher = new OrderPublisher(connection);
		this.queues = new Queues(connection);
	}

	void startWorker() throws IOException {
		this.handled.listen(this.connection);
		this.worker.start();
		try {
			Awaitility.await()
				.atMost(START)
				.pollInterval(Duration.ofMillis(200))
				.until(() -> this.worker.healthy() || this.worker.crashes() > 0);
		}
		catch (ConditionTimeoutException ex) {
			throw new IOException(
					"The worker did not get healthy within %s; see %s".formatted(START, this.worker.log()), ex);
		}
		if (this.worker.crashes() > 0) {
			throw new IOException("The worker ended while it started; see " + this.worker.log());
		}
	}

	/**
	 * Publishes and watches.
	 * @throws IOException if the broker can't be used
	 */
	void untilSettled() throws IOException {
		Map<String, Long> parkedBefore = this.queues.depths().parkingLots();
		CompletableFuture<Void> publishing = CompletableFuture.runAsync(this::publish);
		Progress before = Progress.NONE;
		long began = System.nanoTime();
		long moved = began;
		while (true) {
			Queues.Depths depths = this.queues.depths();
			Progress now = new Progress(this.publisher.published(), this.handled.count(),
					Queues.Depths.sum(depths.work()), Queues.Depths.sum(depths.retry()),
					Queues.Depths.sum(depths.deadLetter()),
					Queues.Depths.sum(depths.parkingLots()) - Queues.Depths.sum(parkedBefore), this.worker.crashes());
			long elapsed = System.nanoTime() - began;
			this.screen.progress(now.text(this.orders.size(), elapsed));
			if (publishing.isDone() && now.mayBeSettled(this.orders.size()) && account().exact()) {
				break;
			}
			if (!now.equals(before)) {
				moved = System.nanoTime();
				before = now;
			}
			if (System.nanoTime() - moved > STALLED.toNanos() || this.worker.givenUp()
					|| publishing.isCompletedExceptionally()) {
				break;
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

	Account account() throws IOException {
		List<ParkedOrder> parked = this.queues.parked();
		return Account.of(this.orders, this.handled.retriesById(), parked, this.queues.depths().left());
	}

	/**
	 * Where a run stands.
	 *
	 * @param published orders that the broker has confirmed
	 * @param handled orders that the worker told about
	 * @param waiting messages ready in work queues
	 * @param retrying messages in retry queues
	 * @param deadLettered messages in dead-letter queues
	 * @param parked messages in parking lots
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
