/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.handover;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.rabbitmq.client.BlockedListener;
import io.github.rabbitretry.internal.connection.BrokerText;
import io.github.rabbitretry.internal.connection.ClientConnection;
import io.github.rabbitretry.internal.logging.RateLimitedLog;
import io.github.rabbitretry.internal.thread.DaemonThreads;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.AmqpException;
import org.springframework.amqp.rabbit.connection.Connection;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionListener;

/**
 * The publishing connection beside a consuming one. It is apart because a connection that
 * publishes is not read any more under a memory or disk alarm, and acknowledgements would
 * be stuck on it.
 */
final class PublisherConnection implements ConnectionListener {

	private static final Log logger = LogFactory.getLog(PublisherConnection.class);

	private static final int CLOSE_MILLIS = 200;

	private static final long LONGEST_SPACING = TimeUnit.HOURS.toNanos(1);

	/**
	 * The setting {@code max_message_size}, which the broker does not report otherwise.
	 */
	private static final Pattern TOO_LARGE = Pattern
		.compile("message size \\d+ is larger than .*?max size (\\d{1,18})");

	private final ConnectionFactory consuming;

	private final Consumer<ConnectionFactory> beside;

	private final ConnectionFactory connectionFactory;

	/**
	 * Watched from their creation: {@code connection.blocked} is sent once and can't be
	 * queried.
	 */
	private final Map<com.rabbitmq.client.Connection, Blocking> connections = Collections
		.synchronizedMap(new WeakHashMap<>());

	/** Those that consume too. */
	private final Set<com.rabbitmq.client.Connection> all = Collections
		.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

	private final Backoff backoff = new Backoff(Duration.ofMillis(500), Duration.ofSeconds(10), 0.25);

	/** Apart from that of connecting, which can take minutes. */
	private final Object stalling = new Object();

	private final RateLimitedLog unreachable = new RateLimitedLog(logger, Duration.ofSeconds(30));

	private volatile com.rabbitmq.client.@Nullable Connection connection;

	private volatile Blocking blocking = new Blocking();

	private volatile @Nullable String failure;

	private volatile long largestBody = Long.MAX_VALUE;

	/** How often in a row the broker confirmed nothing in time. */
	private volatile int stalls;

	private long stalledAt;

	/** Before that, connections are not closed again. */
	private long reconnectAt = System.nanoTime();

	private long spacing;

	/**
	 * Creates the connection, not yet opened.
	 * @param connectionFactory the consuming container's
	 * @param beside ends the connections beside it that are to go to the next address too
	 */
	PublisherConnection(ConnectionFactory connectionFactory, Consumer<ConnectionFactory> beside) {
		this.consuming = connectionFactory;
		this.beside = beside;
		ConnectionFactory publisher = connectionFactory.getPublisherConnectionFactory();
		this.connectionFactory = (publisher != null) ? publisher : connectionFactory;
		this.connectionFactory.addConnectionListener(this);
		connectionFactory.addConnectionListener(this::created);
	}

	private void created(Connection created) {
		com.rabbitmq.client.Connection delegate = created.getDelegate();
		if (delegate != null) {
			this.all.add(delegate);
		}
	}

	@Override
	public void onCreate(Connection created) {
		com.rabbitmq.client.Connection delegate = created.getDelegate();
		if (delegate != null) {
			watch(delegate);
		}
	}

	private Blocking watch(com.rabbitmq.client.Connection watched) {
		synchronized (this.connections) {
			Blocking known = this.connections.get(watched);
			if (known == null) {
				known = new Blocking();
				watched.addBlockedListener(known);
				this.connections.put(watched, known);
			}
			return known;
		}
	}

	/**
	 * Whether a connection may be asked for, that is, is open or due to be opened.
	 * @return {@code false} for a while after each failure
	 */
	boolean due() {
		com.rabbitmq.client.Connection current = this.connection;
		return (current != null && current.isOpen()) || this.backoff.due();
	}

	/**
	 * The connection, opened if need be. May block.
	 * @return an open connection
	 * @throws AmqpException if there is none to be had now
	 */
	synchronized com.rabbitmq.client.Connection connection() {
		com.rabbitmq.client.Connection current = this.connection;
		if (current != null && current.isOpen()) {
			return current;
		}
		if (!this.backoff.due()) {
			throw new AmqpException("the last attempt to connect failed a moment ago (%s)".formatted(this.failure));
		}
		this.backoff.attempted();
		try {
			current = ClientConnection.delegate(this.connectionFactory.createConnection());
			this.blocking = watch(current);
		}
		catch (Throwable ex) {
			String why = BrokerText.of(ex);
			this.failure = why;
			this.unreachable.warn(() -> "No connection to publish failed deliveries on: %s".formatted(why));
			throw ex;
		}
		this.backoff.succeeded();
		this.failure = null;
		this.largestBody = Long.MAX_VALUE;
		this.connection = current;
		return current;
	}

	/**
	 * Why there is no connection.
	 * @return the texts of the last failure and its causes, or {@code null} if the last
	 * attempt succeeded
	 */
	@Nullable String failure() {
		return this.failure;
	}

	/**
	 * Whether the broker asked not to publish.
	 * @return {@code true} from an alarm to its end, or to the connection's
	 */
	boolean blocked() {
		if (!this.blocking.blocked) {
			return false;
		}
		com.rabbitmq.client.Connection current = this.connection;
		return current != null && current.isOpen();
	}

	/**
	 * Why the broker asked not to publish.
	 * @return its text
	 */
	String blockedReason() {
		return this.blocking.reason;
	}

	/**
	 * Since when confirms may be expected: the broker does not read while it blocks.
	 * @return the end of the last alarm, as of {@link System#nanoTime()}
	 */
	long unblockedAt() {
		return this.blocking.unblockedAt;
	}

	/**
	 * Ends a connection that the broker does not read: its answer to an orderly close
	 * would be waited for in vain, for half a minute by default.
	 */
	void close() {
		com.rabbitmq.client.Connection current = this.connection;
		if (current != null && blocked()) {
			current.abort(CLOSE_MILLIS);
		}
	}

	/** The broker has confirmed something. */
	void confirmed() {
		if (this.stalls > 0) {
			this.stalls = 0;
		}
	}

	/**
	 * The broker has not confirmed something in time. A node without a majority accepts
	 * connections and sends heartbeats, so after the second time in a row, and more and
	 * more rarely after that, consumers and publishers connect again. It is rare because
	 * what they hold is delivered again, which a queue's delivery limit counts.
	 * @param confirmTimeout how long a confirm may take
	 */
	void stalled(Duration confirmTimeout) {
		synchronized (this.stalling) {
			if (mayReconnect(confirmTimeout)) {
				DaemonThreads.start("rabbit-retry-reconnect", this::reconnect);
			}
		}
	}

	private boolean mayReconnect(Duration confirmTimeout) {
		long now = System.nanoTime();
		if (this.stalls > 0 && now - this.stalledAt < confirmTimeout.toNanos()) {
			return false;
		}
		this.stalledAt = now;
		this.stalls++;
		if (this.stalls < 2 || Integer.bitCount(this.stalls) > 1 || now - this.reconnectAt < 0) {
			return false;
		}
		boolean soon = now - this.reconnectAt < 4 * this.spacing;
		this.spacing = Math.min(LONGEST_SPACING, soon ? 2 * this.spacing : 2 * confirmTimeout.toNanos());
		this.reconnectAt = now + this.spacing;
		logger.warn(("The broker has confirmed nothing %s times in a row within %s: its connections are closed, to "
				+ "connect to the next of its addresses. What was delivered on them and is not settled will be "
				+ "delivered again")
			.formatted(this.stalls, confirmTimeout));
		return true;
	}

	private void reconnect() {
		ClientConnection.takeNextAddress(this.consuming);
		List<com.rabbitmq.client.Connection> open;
		synchronized (this.all) {
			open = this.all.stream().filter(com.rabbitmq.client.Connection::isOpen).toList();
		}
		open.forEach((each) -> each.abort(CLOSE_MILLIS));
		this.beside.accept(this.consuming);
	}

	/**
	 * The largest body that the broker accepts, as far as it said so.
	 * @return bytes
	 */
	long largestBody() {
		return this.largestBody;
	}

	/**
	 * Reads from a refusal what the largest body is.
	 * @param text the broker's text
	 */
	void refused(String text) {
		Matcher matcher = TOO_LARGE.matcher(text);
		if (matcher.find()) {
			this.largestBody = Long.parseLong(matcher.group(1));
		}
	}

	private static final class Blocking implements BlockedListener {

		private volatile boolean blocked;

		private volatile String reason = "";

		private volatile long unblockedAt = System.nanoTime();

		@Override
		public void handleBlocked(String reason) {
			this.reason = reason;
			this.blocked = true;
			logger.warn("The broker blocks publishers (%s): failed deliveries are held until it stops blocking"
				.formatted(reason));
		}

		@Override
		public void handleUnblocked() {
			this.unblockedAt = System.nanoTime();
			this.blocked = false;
			logger.info("The broker accepts publications again");
		}

	}

}
