/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.publication;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

import io.github.rabbitretry.internal.connection.FatalErrors;
import io.github.rabbitretry.internal.handover.ConfirmedPublisher;
import io.github.rabbitretry.internal.handover.ConfirmedPublishers;
import io.github.rabbitretry.internal.handover.OutboundMessage;
import io.github.rabbitretry.internal.logging.RateLimitedLog;
import io.github.rabbitretry.internal.message.LogText;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.AmqpException;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.DataAccessException;

/**
 * Publishes the batches of one job and waits for what becomes of them.
 */
public final class BatchPublisher implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(BatchPublisher.class);

	private static final RateLimitedLog away = new RateLimitedLog(logger, Duration.ofSeconds(30));

	/** How long the broker may take to give a connection, or a channel. */
	private static final Duration PATIENCE = Duration.ofSeconds(5);

	private static final String UNANSWERED = "the broker does not answer: it blocks publishers (memory or disk alarm), stands still, or is cut off";

	private static final Duration SLICE = Duration.ofMillis(200);

	private final String replayId;

	private final ConfirmedPublisher publisher;

	private final Runnable release;

	private final BatchReader reader;

	private final ReplaySettings settings;

	private final ReplayListener events;

	private final Map<Long, String> types = new HashMap<>();

	private @Nullable CompletableFuture<Integer> connecting;

	private long sentAt;

	private boolean noRoute;

	private @Nullable String problem;

	/**
	 * Creates the publisher of a replay.
	 * @param replayId the replay
	 * @param reader reads its messages
	 * @param connectionFactory leads to the broker
	 * @param publishers give it a publisher of its own
	 * @param settings the bounds
	 * @param events the listener to notify
	 */
	public BatchPublisher(String replayId, BatchReader reader, ConnectionFactory connectionFactory,
			ConfirmedPublishers publishers, ReplaySettings settings, ReplayListener events) {
		this.replayId = replayId;
		this.reader = reader;
		this.publisher = publishers.open(connectionFactory, replayId, settings.confirmTimeout());
		this.release = () -> publishers.release(this.publisher);
		this.settings = settings;
		this.events = events;
	}

	/**
	 * Publishes a batch and waits for its confirms.
	 * @param batch what to publish
	 * @param result to which is added what became of it: all of it, unless this throws
	 * @param mayGoOn asked now and then while confirms are waited for; nothing more is
	 * published once it says no
	 */
	public void publish(List<ClaimedItem> batch, BatchResult result, BooleanSupplier mayGoOn) {
		Deque<ClaimedItem> left = new ArrayDeque<>(batch);
		this.problem = null;
		this.noRoute = false;
		this.types.clear();
		InFlightBatch copies = new InFlightBatch(this.publisher);
		try {
			int frameMax = frameMax(mayGoOn);
			boolean goesOn = true;
			while (goesOn && !left.isEmpty()) {
				goesOn = publishSome(copies, frameMax, left, result, mayGoOn)
						&& await(copies, BatchReader.BYTES_AT_ONCE, mayGoOn);
			}
		}
		catch (Exception ex) {
			failed(why(ex), ex);
		}
		catch (Error ex) {
			FatalErrors.endProcessUpon(ex);
			// nothing counts as confirmed that was not
			logger.error("Replay %s failed while it published".formatted(this.replayId), ex);
			failed("publishing failed with " + ex.getClass().getName(), ex);
		}
		finally {
			result.unpublished().addAll(left);
			end(copies, result, mayGoOn);
		}
		report(result);
	}

	/** The connection's; its own thread connects, since there may be no answer. */
	private int frameMax(BooleanSupplier mayGoOn) throws IOException {
		CompletableFuture<Integer> pending = this.connecting;
		if (pending == null) {
			pending = this.publisher.connect();
			this.connecting = pending;
		}
		long until = System.nanoTime() + PATIENCE.toNanos();
		while (until - System.nanoTime() > 0 && mayGoOn.getAsBoolean()) {
			try {
				int frameMax = pending.get(SLICE.toMillis(), TimeUnit.MILLISECONDS);
				this.connecting = null;
				return frameMax;
			}
			catch (TimeoutException ex) {
				// not yet
			}
			catch (ExecutionException ex) {
				this.connecting = null;
				throw new IOException(String.valueOf(ex.getCause()), ex.getCause());
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				break;
			}
		}
		throw new IOException(UNANSWERED);
	}

	/**
	 * Publishes as many as are read at once.
	 * @return whether it continues
	 */
	private boolean publishSome(InFlightBatch copies, int frameMax, Deque<ClaimedItem> left, BatchResult result,
			BooleanSupplier mayGoOn) {
		for (BatchReader.Entry entry : this.reader.read(left, frameMax)) {
			if (!mayGoOn.getAsBoolean() || copies.channelFailed() != null) {
				return false;
			}
			ClaimedItem item = left.remove();
			this.types.put(item.parkedId(), entry.messageType());
			OutboundMessage copy = entry.copy();
			if (entry.isWithoutPolicy()) {
				result.returned().add(item);
			}
			else if (copy == null) {
				result.failed().put(item, entry.never());
			}
			else {
				copies.publish(item, copy, frameMax).ifPresent((why) -> result.failed().put(item, why));
				this.sentAt = System.nanoTime();
			}
		}
		return true;
	}

	/**
	 * Waits until no more is on its way, for as long as a confirm may take.
	 * @return {@code false} if more still is
	 */
	private boolean await(InFlightBatch copies, long bytes, BooleanSupplier mayGoOn) {
		boolean complete = false;
		long waited = 0;
		while (!complete && waited < this.settings.confirmTimeout().toNanos() && mayGoOn.getAsBoolean()) {
			complete = copies.await(bytes, SLICE);
			waited = System.nanoTime() - this.sentAt;
			if (!complete && waited >= PATIENCE.toNanos() && !copies.anySent()) {
				failed(UNANSWERED, null);
				break;
			}
		}
		return complete;
	}

	/** Waits for what is on its way, and adds it. */
	private void end(InFlightBatch copies, BatchResult result, BooleanSupplier mayGoOn) {
		BatchResult some;
		try {
			await(copies, InFlightBatch.NOTHING, mayGoOn);
		}
		finally {
			some = copies.end();
			result.add(some);
		}
		some.failed()
			.forEach((item, why) -> logger
				.warn("Message %s of replay %s stays parked: %s".formatted(item.parkedId(), this.replayId, why)));
		this.noRoute = copies.noRoute();
		String channelFailed = some.complete() ? null : copies.channelFailed();
		if (channelFailed != null) {
			failed(channelFailed, null);
		}
		else if (!some.unpublished().isEmpty()) {
			failed("the broker refuses messages (basic.nack): a queue is full, or can't be written to", null);
		}
	}

	/** For everybody who may see replays, so without what the database said. */
	private static String why(Exception ex) {
		if (ex instanceof DataAccessException) {
			return "the ledger's database can't be used";
		}
		Throwable cause = NestedExceptionUtils.getMostSpecificCause(ex);
		return (ex instanceof IOException || ex instanceof AmqpException)
				? "the broker can't be used: %s %s".formatted(cause.getClass().getSimpleName(),
						LogText.of(String.valueOf(cause.getMessage())))
				: "publishing failed with " + ex.getClass().getName();
	}

	private void failed(String why, @Nullable Throwable ex) {
		if (this.problem == null) {
			this.problem = why;
			away.warn(
					() -> "Replay %s is stalled; what it did not publish is parked: %s".formatted(this.replayId, why));
		}
		if (ex != null) {
			logger.debug("A replay can't publish for now", ex);
		}
	}

	private void report(BatchResult result) {
		byType(result.published()).forEach((type, count) -> this.events.published(type, count.intValue()));
		byType(result.failed().keySet()).forEach((type, count) -> this.events.failed(type));
	}

	private Map<String, Long> byType(Collection<ClaimedItem> items) {
		return items.stream()
			.collect(Collectors.groupingBy((item) -> this.types.getOrDefault(item.parkedId(), "unknown"),
					Collectors.counting()));
	}

	/**
	 * Whether the last batch ended because an exchange is missing, or may not be used.
	 * @return whether the broker found no way
	 */
	public boolean noRoute() {
		return this.noRoute;
	}

	/**
	 * Why not all of the last batch was published.
	 * @return the problem, or {@code null} if it was
	 */
	public @Nullable String problem() {
		return this.problem;
	}

	@Override
	public void close() {
		this.release.run();
	}

}
