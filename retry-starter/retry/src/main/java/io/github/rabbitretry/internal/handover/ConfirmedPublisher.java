/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.handover;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

import io.github.rabbitretry.internal.event.OccasionalWarning;
import io.github.rabbitretry.internal.health.HealthProblem;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Hands the copies of one message type over: published by the thread that failed, which
 * goes on at once; confirmed later, on the publishing connection's thread, which then
 * acknowledges the original. What is refused, returned, late or lost is published again
 * with back-off while the original stays unacknowledged. The handler is never run again
 * for it.
 */
public final class ConfirmedPublisher implements ConfirmChannel.Outcome {

	private static final Log logger = LogFactory.getLog(ConfirmedPublisher.class);

	/** The cause of copies that wait for the end of an alarm, or for any answer. */
	static final String BLOCKED = "publisher-blocked";

	private final String messageType;

	private final PublisherConnection link;

	private final HandoverSettings settings;

	private final Executor executor;

	private final Runnable wakeUp;

	private final Semaphore room;

	private final AtomicInteger pending = new AtomicInteger();

	private final AtomicLong ids = new AtomicLong();

	private final ReplyPublisher replies;

	private final Map<String, ExchangePublisher> publishers = new ConcurrentHashMap<>();

	private volatile boolean closed;

	private final OccasionalWarning warning = new OccasionalWarning(logger, Duration.ofSeconds(30));

	ConfirmedPublisher(String messageType, PublisherConnection link, HandoverSettings settings, Executor executor,
			Runnable wakeUp) {
		this.messageType = messageType;
		this.link = link;
		this.settings = settings;
		this.executor = executor;
		this.wakeUp = wakeUp;
		this.room = new Semaphore(settings.maxPending());
		this.replies = new ReplyPublisher(link, executor);
	}

	/**
	 * Begins a hand-over. Returns without waiting for the broker, unless the bound of
	 * copies on their way is reached.
	 * @param copy what to publish, with {@link #nextId()} in its hand-over header
	 * @param acknowledgement what to acknowledge after that
	 * @param callback who is told
	 * @param id the id in the copy's hand-over header
	 */
	public void submit(long id, OutboundMessage copy, Acknowledgement acknowledgement, HandoverCallback callback) {
		Handover handover = new Handover(id, copy, acknowledgement, callback);
		this.pending.incrementAndGet();
		if (!enter(acknowledgement)) {
			this.pending.decrementAndGet();
			acknowledgement.giveBack();
			callback.abandoned();
			return;
		}
		try {
			acknowledgement.begin();
			begin(handover);
		}
		catch (Throwable ex) {
			acknowledgement.giveBack();
			abandon(handover);
			throw ex;
		}
	}

	/**
	 * Publishes a reply, once and without a confirm. Does not block.
	 * @param reply the reply
	 */
	public void reply(OutboundMessage reply) {
		if (!this.closed) {
			this.replies.publish(reply);
		}
	}

	private void begin(Handover handover) {
		ExchangePublisher publisher = publisher(handover);
		if (!publisher.publish(handover)) {
			publisher.later(handover);
			if (this.closed) {
				publisher.abandonAll(this::abandon);
			}
			this.wakeUp.run();
		}
	}

	/**
	 * The id of the next hand-over.
	 * @return a number that no other copy of this publisher carries
	 */
	public long nextId() {
		return this.ids.incrementAndGet();
	}

	/**
	 * How many copies are on their way.
	 * @return the number
	 */
	public int pending() {
		return this.pending.get();
	}

	private boolean enter(Acknowledgement acknowledgement) {
		try {
			while (!this.closed && acknowledgement.worthWaiting()) {
				// at first without regard to an interrupt that the handler left behind
				if (this.room.tryAcquire() || this.room.tryAcquire(100, TimeUnit.MILLISECONDS)) {
					if (!this.closed) {
						return true;
					}
					// room that the end of another hand-over made
					this.room.release();
				}
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		return false;
	}

	private ExchangePublisher publisher(Handover handover) {
		return this.publishers.computeIfAbsent(handover.copy().exchange(),
				(exchange) -> new ExchangePublisher(exchange, this.link, this.executor, this, this.wakeUp));
	}

	/**
	 * Does what is due: finds what is late, opens channels, publishes what waits. Called
	 * by the publishers' one thread, some times a second.
	 */
	void tick() {
		if (this.link.blocked()) {
			// only room is made, for what can still be settled
			this.publishers.values().forEach((publisher) -> publisher.abandonClosed(this::abandon));
			return;
		}
		this.publishers.values().forEach((publisher) -> {
			try {
				publisher.tick(this.settings.confirmTimeout(), this::abandon);
			}
			catch (Throwable ex) {
				logger.error("The hand-over of '%s' failed and goes on".formatted(this.messageType), ex);
			}
		});
	}

	@Override
	public void confirmed(Publication publication) {
		Handover handover = publication.handover();
		if (handover.waitsAfterFailure()) {
			// a late confirm: it need not be published again
			publisher(handover).forget(handover);
		}
		if (handover.settle()) {
			try {
				handover.acknowledgement().acknowledge();
			}
			catch (Throwable ex) {
				logger.error("A delivery of '%s' could not be acknowledged and will be delivered again"
					.formatted(this.messageType), ex);
			}
			leave(() -> handover.callback().confirmed(handover.elapsed()));
		}
	}

	@Override
	public void failed(Publication publication, PublicationFailure why) {
		Handover handover = publication.handover();
		if (!handover.failed(publication.number(), why, this.settings.confirmTimeout())) {
			return;
		}
		try {
			publisher(handover).later(handover);
		}
		catch (Throwable ex) {
			// nobody would publish it again
			handover.acknowledgement().giveBack();
			abandon(handover);
			throw ex;
		}
		if (why != PublicationFailure.LOST && why != PublicationFailure.SUSPECT) {
			OutboundMessage copy = handover.copy();
			this.warning
				.warn(() -> ("Copies for '%s' through exchange '%s' %s: deliveries of '%s' that failed (%d) are held "
						+ "unacknowledged and their copies published again until they are accepted")
					.formatted(copy.routingKey(), copy.exchange(), why, this.messageType, pending()));
		}
	}

	/**
	 * How many copies wait to be published again, by what they wait for.
	 * @return numbers by the code of the cause
	 */
	Map<String, Integer> waiting() {
		Map<String, Integer> waiting = new TreeMap<>();
		this.publishers.values()
			.forEach((publisher) -> publisher.waiting()
				.forEach((handover) -> waiting.merge(code(publisher, handover), 1, Integer::sum)));
		return waiting;
	}

	private String code(ExchangePublisher publisher, Handover handover) {
		if (this.link.blocked() || publisher.unanswered()) {
			return BLOCKED;
		}
		PublicationFailure why = handover.lastFailure();
		return ((why != null) ? why : PublicationFailure.LOST).code();
	}

	/**
	 * What keeps copies from being published.
	 * @return the problems, empty if there are none
	 */
	List<HealthProblem> problems() {
		List<HealthProblem> problems = new ArrayList<>();
		this.publishers.forEach((exchange, publisher) -> {
			Map<String, Long> waiting = publisher.waiting()
				.collect(Collectors.groupingBy((handover) -> code(publisher, handover), TreeMap::new,
						Collectors.counting()));
			waiting.forEach((code, count) -> {
				String why = detail(code, publisher);
				if (why != null) {
					problems
						.add(new HealthProblem(code, "%s through exchange '%s'".formatted(this.messageType, exchange),
								"failed deliveries held unacknowledged: %d; %s".formatted(count, why)));
				}
			});
		});
		return problems;
	}

	private @Nullable String detail(String code, ExchangePublisher publisher) {
		if (code.equals(BLOCKED)) {
			return this.link.blocked() ? "the broker blocks publishers (%s)".formatted(this.link.blockedReason())
					: "the broker does not answer (it blocks the connection, stands still, or is cut off)";
		}
		if (code.equals(PublicationFailure.LOST.code())) {
			String failure = this.link.failure();
			return (failure != null) ? "there is no connection to publish on (%s)".formatted(failure) : null;
		}
		for (PublicationFailure why : PublicationFailure.values()) {
			if (why.code().equals(code)) {
				boolean fromBroker = why == PublicationFailure.SUSPECT || why.ofTheExchange();
				return "copies " + why + (fromBroker ? ": " + publisher.brokerText() : "");
			}
		}
		return null;
	}

	private void abandon(Handover handover) {
		if (handover.settle()) {
			leave(handover.callback()::abandoned);
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
			this.room.release();
			this.pending.decrementAndGet();
		}
	}

	/**
	 * Ends the publisher: what is still on its way is left to the broker, which delivers
	 * the originals again.
	 */
	void close() {
		this.closed = true;
		if (pending() > 0) {
			logger.warn(
					"Failed deliveries of '%s' that were not handed over before the stop: %d. The broker delivers them again"
						.formatted(this.messageType, pending()));
		}
		this.publishers.values().forEach((publisher) -> {
			publisher.close();
			publisher.abandonAll(this::abandon);
		});
	}

}
