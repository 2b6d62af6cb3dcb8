/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.handover;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

import io.github.rabbitretry.internal.acknowledgement.Acknowledgement;
import io.github.rabbitretry.internal.logging.BestEffortLog;
import io.github.rabbitretry.internal.message.OutboundMessageCheck;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Publishes messages, and counts one as published once the broker confirmed it and did
 * not return it: the one way to publish a copy. It is published by the thread that
 * submits it, which goes on at once, and confirmed later, on the publishing connection's
 * thread.
 * <p>
 * Where an original is held, it is acknowledged then. What is refused, returned, late or
 * lost is published again with back-off while the original stays unacknowledged, and the
 * handler is never run again for it. Where nothing is held, since a database has the
 * message, the callback says whether to publish again.
 */
public final class ConfirmedPublisher {

	private static final Log logger = LogFactory.getLog(ConfirmedPublisher.class);

	private final String messageType;

	private final PublisherConnection connection;

	private final HandoverSettings settings;

	private final boolean cautious;

	private final Executor executor;

	private final Runnable wakeUp;

	private final HandoverCapacity capacity;

	private final LongAdder inFlight = new LongAdder();

	private final AtomicLong ids = new AtomicLong();

	private final Map<String, ExchangePublisher> publishers = new ConcurrentHashMap<>();

	private final PublisherHealth health;

	/**
	 * Creates the publisher.
	 * @param messageType names it
	 * @param connection where to publish
	 * @param settings the bounds
	 * @param cautious whether one copy is tried first on every channel
	 * @param executor runs what waits for the broker
	 * @param wakeUp has {@link #tick()} called soon
	 * @param idle is called when nothing is on its way any more
	 */
	ConfirmedPublisher(String messageType, PublisherConnection connection, HandoverSettings settings, boolean cautious,
			Executor executor, Runnable wakeUp, Runnable idle) {
		this.messageType = messageType;
		this.connection = connection;
		this.settings = settings;
		this.cautious = cautious;
		this.executor = executor;
		this.wakeUp = wakeUp;
		this.capacity = new HandoverCapacity(settings.maxPending(), idle);
		this.health = new PublisherHealth(messageType, connection, this.publishers);
	}

	/**
	 * Connects, if need be, in another thread.
	 * @return the connection's largest frame in bytes, 0 for no limit
	 */
	public CompletableFuture<Integer> connect() {
		return CompletableFuture.supplyAsync(() -> this.connection.connection().getFrameMax(), this.executor);
	}

	/**
	 * Begins to hand a copy over. Returns without waiting for the broker, unless the
	 * bound of copies on their way is reached.
	 * @param copy what to publish
	 * @param original what to acknowledge after that
	 * @param callback is notified of the end
	 * @return why the copy can never be published, so that nothing was begun and the
	 * callback is not called, or empty
	 */
	public Optional<String> submit(OutboundMessage copy, Acknowledgement original, HandoverCallback callback) {
		return submit(copy, original, original.frameMax(), callback);
	}

	/**
	 * Begins to publish a message of which no original is held.
	 * @param message what to publish
	 * @param frameMax the largest frame in bytes, 0 for no limit
	 * @param callback is notified of the end and of each failure
	 * @return why the message can never be published, so that nothing was begun and the
	 * callback is not called, or empty
	 */
	public Optional<String> submit(OutboundMessage message, int frameMax, HandoverCallback callback) {
		return submit(message, null, frameMax, callback);
	}

	/** For a copy whose properties are yet to be made. */
	public long nextId() {
		return this.ids.incrementAndGet();
	}

	private Optional<String> submit(OutboundMessage message, @Nullable Acknowledgement original, int frameMax,
			HandoverCallback callback) {
		message.submitted(this::nextId, original, callback);
		Optional<String> problem = OutboundMessageCheck.problem(message.exchange(), message.routingKey(),
				message.properties(), frameMax);
		if (problem.isEmpty()) {
			submit(message);
		}
		return problem;
	}

	private void submit(OutboundMessage message) {
		if (!this.capacity.enter(message)) {
			message.giveBackOriginal();
			message.callback().abandoned();
			return;
		}
		try {
			message.begin();
			begin(message);
		}
		catch (Throwable ex) {
			message.giveBackOriginal();
			abandon(message);
			throw ex;
		}
	}

	private void begin(OutboundMessage message) {
		if (!message.wanted()) {
			// it was given back before it counted as being handed over
			message.giveBackOriginal();
			abandon(message);
			return;
		}
		ExchangePublisher publisher = publisher(message);
		if (!publisher.publish(message)) {
			publisher.waiting().add(message);
			if (this.capacity.closed()) {
				publisher.waiting().take((any) -> true).forEach(this::abandon);
			}
			this.wakeUp.run();
		}
	}

	/**
	 * Gives up a message of which no outcome is reported any more.
	 * @param message the message
	 * @return whether the broker may have it
	 */
	public boolean withdraw(OutboundMessage message) {
		if (message.settle()) {
			ExchangePublisher publisher = publisher(message);
			publisher.waiting().remove(message);
			if (message.begun()) {
				// what follows on the same channel would not be confirmed either
				publisher.giveUpChannel();
			}
			this.capacity.leave();
		}
		return message.begun();
	}

	/**
	 * How many copies are on their way.
	 * @return the number
	 */
	public int pending() {
		return this.capacity.pending();
	}

	/**
	 * Counts the deliveries of listeners that are received and have no outcome yet.
	 * @return to be changed by their acknowledgements only
	 */
	public LongAdder inFlight() {
		return this.inFlight;
	}

	private ExchangePublisher publisher(OutboundMessage message) {
		return this.publishers.computeIfAbsent(message.exchange(), (exchange) -> new ExchangePublisher(exchange,
				this.cautious, this.connection, this.executor, this, this.wakeUp));
	}

	/**
	 * Does what is due: finds what is late, opens channels, publishes what waits. Called
	 * by the publishers' one thread, some times a second.
	 */
	void tick() {
		this.publishers.values().forEach((publisher) -> {
			try {
				// whatever keeps copies waiting: what is stale makes room for what can be
				// settled, and no probe is spent on it
				publisher.waiting().take((message) -> !message.wanted()).forEach((message) -> {
					// of a delivery that was given back as a whole, this part is not
					// settled yet
					message.giveBackOriginal();
					abandon(message);
				});
				if (!this.connection.blocked()) {
					publisher.tick(this.settings.confirmTimeout());
				}
			}
			catch (Throwable ex) {
				// what is thrown out of a periodic task ends it for good
				BestEffortLog.error(logger, "The hand-over of '%s' failed and goes on".formatted(this.messageType), ex);
			}
		});
	}

	/**
	 * The broker has accepted publications.
	 * @param publications those that one of its answers confirms
	 */
	void confirmed(List<ConfirmChannel.Publication> publications) {
		List<OutboundMessage> settled = new ArrayList<>(publications.size());
		List<Acknowledgement> originals = new ArrayList<>(publications.size());
		try {
			for (ConfirmChannel.Publication publication : publications) {
				OutboundMessage message = publication.message();
				if (message.waitsAfterFailure()) {
					// a late confirm: it need not be published again
					publisher(message).waiting().remove(message);
				}
				if (message.settle()) {
					settled.add(message);
					if (message.original() != null) {
						originals.add(message.original());
					}
				}
			}
		}
		finally {
			try {
				Acknowledgement.acknowledge(originals);
			}
			finally {
				settled.forEach((message) -> leave(() -> message.callback().confirmed(message.elapsed())));
			}
		}
	}

	/**
	 * A publication was not confirmed.
	 * @param publication the publication
	 * @param why why not
	 * @param text what the broker said when it closed a channel to the exchange last
	 */
	void failed(ConfirmChannel.Publication publication, PublicationFailure why, String text) {
		OutboundMessage message = publication.message();
		if (!message.failed(publication.number(), why, this.settings.confirmTimeout())) {
			return;
		}
		try {
			if (!message.callback().failed(why, text)) {
				if (message.settle()) {
					this.capacity.leave();
				}
				return;
			}
			publisher(message).waiting().add(message);
		}
		catch (Throwable ex) {
			// nothing else would publish it again
			message.giveBackOriginal();
			abandon(message);
			throw ex;
		}
		this.health.warn(message, why, text, pending());
	}

	/**
	 * What keeps copies from being published.
	 * @return the problems, asked for whenever they are needed
	 */
	PublisherHealth health() {
		return this.health;
	}

	private void abandon(OutboundMessage message) {
		if (message.settle()) {
			leave(message.callback()::abandoned);
		}
	}

	private void leave(Runnable callback) {
		try {
			callback.run();
		}
		catch (Throwable ex) {
			logger.warn("A hand-over's callback failed", ex);
		}
		finally {
			this.capacity.leave();
		}
	}

	/**
	 * Ends the publisher: what is still on its way is left to the broker, which delivers
	 * the originals again.
	 */
	void close() {
		this.capacity.close();
		if (pending() > 0) {
			logger.warn(
					"Failed deliveries of '%s' that were not handed over before the stop: %s. The broker delivers them again"
						.formatted(this.messageType, pending()));
		}
		this.publishers.values().forEach((publisher) -> {
			publisher.close();
			publisher.waiting().take((any) -> true).forEach(this::abandon);
		});
	}

}
