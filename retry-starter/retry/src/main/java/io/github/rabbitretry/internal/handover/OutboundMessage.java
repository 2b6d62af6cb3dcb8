/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.handover;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.github.rabbitretry.internal.acknowledgement.Acknowledgement;
import io.github.rabbitretry.internal.message.AppHeaders;
import io.github.rabbitretry.internal.message.ReplayHeaders;
import org.jspecify.annotations.Nullable;

/**
 * A message on its way to the broker: waiting to be published, published, or settled.
 * Publications are numbered, so that what is learnt late about an earlier one does not
 * disturb a later.
 */
public final class OutboundMessage implements Delayed {

	/** The first delay of a message that the broker refused when it was alone. */
	private static final Duration FIRST_ALONE = Duration.ofSeconds(30);

	/** For messages that are refused alone, or not confirmed. */
	private static final Duration LONGEST = Duration.ofMinutes(10);

	private enum State {

		WAITING, PUBLISHED, SETTLED

	}

	private final String exchange;

	private final String routingKey;

	private final byte[] body;

	private final boolean mandatory;

	private final boolean numbered;

	private BasicProperties properties;

	private long id;

	private @Nullable Acknowledgement original;

	private @Nullable HandoverCallback callback;

	private long startedAt = System.nanoTime();

	private final Backoff backoff = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5), 0);

	/** For a message that is not confirmed in time. */
	private @Nullable Backoff timeouts;

	/** For a message that the broker refused although it was alone. */
	private @Nullable Backoff refusals;

	private State state = State.WAITING;

	private int publications;

	private boolean sent;

	private volatile boolean isolated;

	private volatile boolean rejected;

	private volatile @Nullable PublicationFailure lastFailure;

	private volatile long dueAt = this.startedAt;

	/**
	 * A message that must find a queue.
	 * @param exchange where to
	 * @param routingKey with which key
	 * @param properties its properties
	 * @param body its body
	 */
	public OutboundMessage(String exchange, String routingKey, BasicProperties properties, byte[] body) {
		this(exchange, routingKey, properties, body, true);
	}

	/**
	 * A message.
	 * @param exchange where to
	 * @param routingKey with which key
	 * @param properties its properties
	 * @param body its body
	 * @param mandatory whether it must find a queue
	 */
	public OutboundMessage(String exchange, String routingKey, BasicProperties properties, byte[] body,
			boolean mandatory) {
		this(exchange, routingKey, properties, body, mandatory, false);
	}

	private OutboundMessage(String exchange, String routingKey, BasicProperties properties, byte[] body,
			boolean mandatory, boolean numbered) {
		this.exchange = exchange;
		this.routingKey = routingKey;
		this.properties = properties;
		this.body = body;
		this.mandatory = mandatory;
		this.numbered = numbered;
	}

	/**
	 * A message that must find a queue and has an id already: to add it later means to
	 * copy all headers twice.
	 */
	public static OutboundMessage numbered(String exchange, String routingKey, BasicProperties properties,
			byte[] body) {
		return new OutboundMessage(exchange, routingKey, properties, body, true, true);
	}

	/**
	 * The exchange that it is published to.
	 * @return the exchange's name, empty for the default one
	 */
	public String exchange() {
		return this.exchange;
	}

	/**
	 * The key that it is published with.
	 * @return the routing key
	 */
	public String routingKey() {
		return this.routingKey;
	}

	/**
	 * Its properties.
	 * @return the properties, from its submission on with the id in a header
	 */
	public BasicProperties properties() {
		return this.properties;
	}

	/**
	 * Its body.
	 * @return the body
	 */
	public byte[] body() {
		return this.body;
	}

	/**
	 * Whether it must find a queue.
	 * @return {@code false} if it may be unroutable
	 */
	public boolean mandatory() {
		return this.mandatory;
	}

	/**
	 * Begins its way.
	 * @param ids gives the id by which a return is matched, unless it has one of its own
	 * @param acknowledgement what to acknowledge once it is confirmed, if anything
	 * @param callback is notified of its end
	 */
	void submitted(LongSupplier ids, @Nullable Acknowledgement acknowledgement, HandoverCallback callback) {
		Long own = (this.numbered || acknowledgement == null) ? id(this.properties) : null;
		this.id = (own != null) ? own : ids.getAsLong();
		if (own == null) {
			Map<String, Object> headers = new HashMap<>();
			if (this.properties.getHeaders() != null) {
				headers.putAll(this.properties.getHeaders());
			}
			headers.put(AppHeaders.HANDOVER_ID, this.id);
			this.properties = this.properties.builder().headers(headers).build();
		}
		this.original = acknowledgement;
		this.callback = callback;
		this.startedAt = System.nanoTime();
		this.dueAt = this.startedAt;
	}

	long id() {
		return this.id;
	}

	/**
	 * The id of a message that was published or is to be. What a replay publishes has one
	 * in the header by which its ledger follows it.
	 * @param properties the message's properties
	 * @return its id, or {@code null} if it has none
	 */
	static @Nullable Long id(BasicProperties properties) {
		Map<String, Object> headers = properties.getHeaders();
		if (headers == null) {
			return null;
		}
		if (headers.get(AppHeaders.HANDOVER_ID) instanceof Long id) {
			return id;
		}
		return (headers.get(ReplayHeaders.REPLAY_ITEM) instanceof Long item) ? item : null;
	}

	HandoverCallback callback() {
		return Objects.requireNonNull(this.callback, "the message is submitted");
	}

	/** The broker closed a channel because of it, and so does not have it. */
	void markRejected() {
		this.rejected = true;
	}

	/**
	 * Whether the broker closed the channel of its last publication because of it.
	 * @return {@code true} if nothing else can have been the cause
	 */
	public boolean rejected() {
		return this.rejected;
	}

	/**
	 * Whether it still has to be published.
	 * @return {@code false} if the broker has the original again
	 */
	boolean wanted() {
		return this.original == null || this.original.open();
	}

	/**
	 * Whether a thread may wait until it can be published.
	 * @return {@code false} if the original's container waits for that thread
	 */
	boolean worthWaiting() {
		return this.original == null || this.original.worthWaiting();
	}

	/** To be called before it is published. */
	void begin() {
		if (this.original != null) {
			this.original.begin();
		}
	}

	/**
	 * What to acknowledge once it is confirmed.
	 * @return the original's acknowledgement, or {@code null} if none is held
	 */
	@Nullable Acknowledgement original() {
		return this.original;
	}

	void giveBackOriginal() {
		if (this.original != null) {
			this.original.giveBack();
		}
	}

	/**
	 * Begins a publication.
	 * @return its number, or -1 if there is nothing to publish any more, or it is
	 * published already
	 */
	synchronized int publish() {
		if (this.state != State.WAITING) {
			return -1;
		}
		this.state = State.PUBLISHED;
		this.rejected = false;
		return ++this.publications;
	}

	/**
	 * A publication failed: waits for the next one, longer each time.
	 * @param publication its number
	 * @param why why it failed
	 * @param confirmTimeout how long a confirm was waited for
	 * @return {@code false} if it is not the last one, or if the message is settled
	 */
	synchronized boolean failed(int publication, PublicationFailure why, Duration confirmTimeout) {
		if (this.state != State.PUBLISHED || publication != this.publications) {
			return false;
		}
		this.state = State.WAITING;
		this.lastFailure = why;
		this.sent |= why != PublicationFailure.UNSENT;
		boolean suspect = why == PublicationFailure.SUSPECT;
		boolean found = suspect && !this.isolated && !this.rejected;
		this.dueAt = System.nanoTime() + (found ? 0 : backoff(why, confirmTimeout).next());
		boolean harmless = why.accepted() || why == PublicationFailure.TIMED_OUT;
		this.isolated = suspect || (this.isolated && (this.refusals != null || !harmless));
		return true;
	}

	private Backoff backoff(PublicationFailure why, Duration confirmTimeout) {
		if (why == PublicationFailure.SUSPECT) {
			this.refusals = (this.refusals != null) ? this.refusals : new Backoff(FIRST_ALONE, LONGEST, 0.25);
			return this.refusals;
		}
		if (why == PublicationFailure.TIMED_OUT) {
			this.timeouts = (this.timeouts != null) ? this.timeouts : new Backoff(confirmTimeout, LONGEST, 0);
			return this.timeouts;
		}
		return this.backoff;
	}

	/**
	 * Has the message published alone, so that it can harm no other.
	 */
	synchronized void isolate() {
		this.isolated = true;
	}

	/**
	 * Whether the message is published alone.
	 * @return {@code true} if the broker closed a channel that it was on, or will
	 */
	boolean isolated() {
		return this.isolated;
	}

	/**
	 * Whether the broker refused it when it was alone.
	 * @return {@code true} if it did at least once
	 */
	synchronized boolean refusedAlone() {
		return this.refusals != null;
	}

	/**
	 * Why the last publication failed.
	 * @return why, or {@code null} if none failed
	 */
	@Nullable PublicationFailure lastFailure() {
		return this.lastFailure;
	}

	/**
	 * Ends the wait. Not while it is in a queue that is ordered by it.
	 */
	void dueNow() {
		this.dueAt = System.nanoTime();
	}

	/**
	 * Whether a publication failed and the next one has not begun.
	 * @return {@code true} if it is in a queue
	 */
	synchronized boolean waitsAfterFailure() {
		return this.state == State.WAITING && this.lastFailure != null;
	}

	/**
	 * Whether the message is neither published nor needed no more.
	 * @return {@code true} if it has to be in a queue
	 */
	synchronized boolean unpublished() {
		return this.state == State.WAITING;
	}

	/**
	 * Settles the message.
	 * @return {@code false} if it was settled before
	 */
	synchronized boolean settle() {
		if (this.state == State.SETTLED) {
			return false;
		}
		this.sent |= this.state == State.PUBLISHED;
		this.state = State.SETTLED;
		return true;
	}

	/**
	 * Whether the broker may have got it.
	 * @return {@code true} if a publication has begun that was sent
	 */
	public synchronized boolean begun() {
		return this.sent || this.state == State.PUBLISHED;
	}

	Duration elapsed() {
		return Duration.ofNanos(System.nanoTime() - this.startedAt);
	}

	@Override
	public long getDelay(TimeUnit unit) {
		return unit.convert(this.dueAt - System.nanoTime(), TimeUnit.NANOSECONDS);
	}

	@Override
	public int compareTo(Delayed other) {
		return Long.compare(this.dueAt - ((OutboundMessage) other).dueAt, 0);
	}

}
