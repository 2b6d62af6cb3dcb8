/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.handover;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.github.rabbitretry.internal.connection.LifecyclePhases;
import io.github.rabbitretry.internal.connection.StopDeadline;
import io.github.rabbitretry.internal.health.HealthProblem;
import io.github.rabbitretry.internal.health.HealthSource;
import io.github.rabbitretry.internal.thread.DaemonThreads;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.context.SmartLifecycle;

/**
 * All publishers of an application: one for each message type and broker connection, on
 * one publishing connection per consuming one, with one thread for what has to be done
 * later.
 */
public final class ConfirmedPublishers implements HealthSource, SmartLifecycle, AutoCloseable {

	private static final Log logger = LogFactory.getLog(ConfirmedPublishers.class);

	private static final long TICK = 50;

	/** Their callers know how many they publish at once. */
	private static final int MOST_OF_OTHERS = 1 << 20;

	private final HandoverSettings settings;

	private final StopDeadline stop;

	private final Consumer<ConnectionFactory> reconnect;

	/** Notified when a publisher has nothing on its way any more. */
	private final Object idle = new Object();

	private volatile boolean running;

	private final Map<ConnectionFactory, PublisherConnection> connections = new ConcurrentHashMap<>();

	private final Map<PublisherKey, ConfirmedPublisher> publishers = new ConcurrentHashMap<>();

	/** Those of which no deliveries wait for confirms. */
	private final Set<ConfirmedPublisher> others = ConcurrentHashMap.newKeySet();

	private final ScheduledExecutorService executor = Executors
		.newSingleThreadScheduledExecutor(DaemonThreads.named("rabbit-retry-handover"));

	/** What waits for the broker's answers. */
	private final ExecutorService connecting = Executors
		.newCachedThreadPool(DaemonThreads.named("rabbit-retry-publisher"));

	/**
	 * Creates the publishers.
	 * @param settings the bounds
	 */
	public ConfirmedPublishers(HandoverSettings settings) {
		this(settings, new StopDeadline(settings.shutdownTimeout()), (beside) -> {
		});
	}

	/**
	 * Creates the publishers.
	 * @param settings the bounds
	 * @param stop the time that a stop may take
	 * @param reconnect ends the connections beside a consuming one that are to go to the
	 * next address with it
	 */
	public ConfirmedPublishers(HandoverSettings settings, StopDeadline stop, Consumer<ConnectionFactory> reconnect) {
		this.settings = settings;
		this.reconnect = reconnect;
		this.stop = stop;
		this.executor.scheduleWithFixedDelay(this::tick, TICK, TICK, TimeUnit.MILLISECONDS);
	}

	/**
	 * The publisher of a message type.
	 * @param connectionFactory the consuming container's
	 * @param messageType the policy's name
	 * @return the publisher, created on first use
	 */
	public ConfirmedPublisher publisher(ConnectionFactory connectionFactory, String messageType) {
		return this.publishers.computeIfAbsent(new PublisherKey(connectionFactory, messageType),
				(key) -> new ConfirmedPublisher(messageType, connection(connectionFactory), this.settings, false,
						this.connecting, this::wakeUp, this::idle));
	}

	/**
	 * Opens a publisher of messages that no delivery is held for, with channels of its
	 * own: what goes wrong there affects nothing else. On every channel one message is
	 * tried first, so that a missing exchange leaves no other in doubt.
	 * @param connectionFactory leads to the broker
	 * @param name names it in the log
	 * @param confirmTimeout how long a confirm may take
	 * @return the publisher, to be released
	 */
	public ConfirmedPublisher open(ConnectionFactory connectionFactory, String name, Duration confirmTimeout) {
		ConfirmedPublisher publisher = new ConfirmedPublisher(name, connection(connectionFactory),
				new HandoverSettings(MOST_OF_OTHERS, confirmTimeout, this.settings.shutdownTimeout()), true,
				this.connecting, this::wakeUp, () -> {
				});
		this.others.add(publisher);
		return publisher;
	}

	/**
	 * Ends a publisher that was opened, without waiting for the broker.
	 * @param publisher the publisher
	 */
	public void release(ConfirmedPublisher publisher) {
		this.others.remove(publisher);
		try {
			this.connecting.execute(publisher::close);
		}
		catch (RejectedExecutionException ex) {
			logger.debug("The publishers are closed", ex);
		}
	}

	/**
	 * Watches the publishing connections of a connection factory from now on. The broker
	 * tells once that it blocks a connection.
	 * @param connectionFactory a consuming container's, before it connects
	 */
	public void watch(ConnectionFactory connectionFactory) {
		connection(connectionFactory);
	}

	/**
	 * How many copies of a message type are on their way.
	 * @param messageType the policy's name
	 * @return the number
	 */
	public int pending(String messageType) {
		return of(messageType).mapToInt(ConfirmedPublisher::pending).sum();
	}

	/**
	 * How many deliveries of a message type are received and have no outcome yet.
	 * @param messageType the policy's name
	 * @return the number, a little off while they change
	 */
	public long inFlight(String messageType) {
		return of(messageType).mapToLong((publisher) -> publisher.inFlight().sum()).sum();
	}

	/**
	 * Whether the broker blocks a connection that copies of a message type are published
	 * through, as it does under an alarm.
	 * @param messageType the policy's name
	 * @return {@code false} also if there is no connection
	 */
	public boolean blocked(String messageType) {
		return of(messageType).anyMatch((publisher) -> publisher.health().blocked());
	}

	private PublisherConnection connection(ConnectionFactory connectionFactory) {
		return this.connections.computeIfAbsent(connectionFactory,
				(consuming) -> new PublisherConnection(consuming, this.reconnect));
	}

	private Stream<ConfirmedPublisher> of(String messageType) {
		return this.publishers.entrySet()
			.stream()
			.filter((entry) -> entry.getKey().messageType().equals(messageType))
			.map(Map.Entry::getValue);
	}

	/**
	 * How many copies of a message type wait for one cause to end.
	 * @param messageType the policy's name
	 * @param cause one of {@link #causes()}
	 * @return the number
	 */
	public int waiting(String messageType, String cause) {
		return of(messageType).mapToInt((publisher) -> publisher.health().waiting().getOrDefault(cause, 0)).sum();
	}

	/**
	 * What copies may have to wait for.
	 * @return a closed list of names
	 */
	public static List<String> causes() {
		return PublisherHealth.causes();
	}

	@Override
	public List<HealthProblem> problems() {
		return this.publishers.values()
			.stream()
			.flatMap((publisher) -> publisher.health().problems().stream())
			.toList();
	}

	/**
	 * Waits until no copy is on its way. All who wait during one stop share the time that
	 * a stop may take: copies that are not accepted must not cost it once for each
	 * delivery.
	 * @return {@code false} if some still are
	 */
	public boolean awaitIdle() {
		long deadline = this.stop.ofHandover();
		synchronized (this.idle) {
			try {
				while (this.publishers.values().stream().anyMatch((publisher) -> publisher.pending() > 0)) {
					long left = deadline - System.nanoTime();
					if (left <= 0) {
						return false;
					}
					TimeUnit.NANOSECONDS.timedWait(this.idle, Math.max(left, 1_000_000));
				}
				return true;
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				return false;
			}
		}
	}

	private void idle() {
		synchronized (this.idle) {
			this.idle.notifyAll();
		}
	}

	/**
	 * How long a stop may take.
	 * @return the time that each part of it has
	 */
	public StopDeadline stopDeadline() {
		return this.stop;
	}

	private void wakeUp() {
		try {
			this.executor.execute(this::tick);
		}
		catch (RejectedExecutionException ex) {
			logger.debug("The publishers are closed", ex);
		}
	}

	private void tick() {
		this.publishers.values().forEach(ConfirmedPublisher::tick);
		this.others.forEach(ConfirmedPublisher::tick);
	}

	@Override
	public void start() {
		this.running = true;
	}

	/**
	 * Ends blocked connections, which Spring AMQP would close in order, waiting in vain,
	 * before {@link #close()}. Later publications open others.
	 */
	@Override
	public void stop() {
		this.running = false;
		this.connections.values().forEach(PublisherConnection::close);
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return LifecyclePhases.PUBLISHERS;
	}

	/**
	 * Waits until no copy is on its way, bounded, and ends all publishers.
	 */
	@Override
	public void close() {
		awaitIdle();
		this.executor.shutdownNow();
		this.connecting.shutdownNow();
		this.publishers.values().forEach(ConfirmedPublisher::close);
		this.others.forEach(ConfirmedPublisher::close);
		this.connections.values().forEach(PublisherConnection::close);
	}

	private record PublisherKey(ConnectionFactory connectionFactory, String messageType) {
	}

}
