/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.connection;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import com.rabbitmq.client.Address;
import com.rabbitmq.client.AddressResolver;
import io.github.rabbitretry.internal.thread.DaemonThreads;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.connection.AbstractConnectionFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.connection.PooledChannelConnectionFactory;
import org.springframework.amqp.rabbit.connection.ThreadChannelConnectionFactory;

/**
 * Gives consumers of the starter connections apart from the application's. A message that
 * the client can't read ends the connection that it is delivered on, with all consumers
 * of it.
 */
public final class ConsumerConnections implements AutoCloseable {

	/**
	 * The connection of dead-letter and quarantine queues, and of questions: one that
	 * nothing is published on, as an alarm would block it. See {@link #ofQuarantine}.
	 */
	public static final String DEAD_LETTERS = "dead-letters";

	/**
	 * The connection of dead letters that are received one at a time, because one of them
	 * ends it. It is closed in between.
	 */
	public static final String ONE_DEAD_LETTER = "dead-letter";

	private static final String QUARANTINE = "quarantine";

	private static final int CLOSE_MILLIS = 200;

	private static final Log logger = LogFactory.getLog(ConsumerConnections.class);

	private final Map<Key, ConnectionFactory> factories = new ConcurrentHashMap<>();

	/** Whose connection a delivery ended. */
	private final Set<ConnectionFactory> ended = ConcurrentHashMap.newKeySet();

	/** Those that are open, and beside whose. */
	private final Map<com.rabbitmq.client.Connection, ConnectionFactory> open = new ConcurrentHashMap<>();

	private final ConnectionAborter aborter;

	/**
	 * Creates the connections' home.
	 * @param aborter ends them if nothing else does when the application stops
	 */
	public ConsumerConnections(ConnectionAborter aborter) {
		this.aborter = aborter;
	}

	/**
	 * A factory of connections to the same broker, as the same user.
	 * @param shared the application's
	 * @param purpose what the connection is for, which ends its name
	 * @return the same factory at each call; the application's own one if that is not one
	 * of Spring AMQP's classes, as only it knows how it connects
	 */
	public ConnectionFactory of(ConnectionFactory shared, String purpose) {
		return this.factories.computeIfAbsent(new Key(shared, purpose), (key) -> {
			ConnectionFactory factory = key.derive(this.aborter);
			factory.addConnectionListener((created) -> opened(created.getDelegate(), shared));
			if (purpose.equals(DEAD_LETTERS)) {
				factory.addConnectionListener(ReaderFailure.listener((signal) -> this.ended.add(factory)));
			}
			return factory;
		});
	}

	/**
	 * A factory of connections for quarantine queues. The end of a connection counts
	 * against what is in quarantine, so it is not shared once a message that can't be
	 * received is among the dead letters.
	 * @param shared the application's
	 * @return for now, that of dead letters
	 */
	public ConnectionFactory ofQuarantine(ConnectionFactory shared) {
		ConnectionFactory deadLetters = of(shared, DEAD_LETTERS);
		return this.ended.contains(deadLetters) ? of(shared, QUARANTINE) : deadLetters;
	}

	private void opened(com.rabbitmq.client.@Nullable Connection connection, ConnectionFactory shared) {
		if (connection != null) {
			this.open.put(connection, shared);
			connection.addShutdownListener((cause) -> this.open.remove(connection));
		}
	}

	/**
	 * Ends the connections beside the application's, to be replaced by ones to the
	 * address that comes first then.
	 * @param shared the application's
	 */
	public void reconnect(ConnectionFactory shared) {
		this.open.forEach((connection, beside) -> {
			if (beside.equals(shared)) {
				connection.abort(CLOSE_MILLIS);
			}
		});
	}

	@Override
	public void close() {
		this.factories.forEach((key, factory) -> {
			if (factory != key.shared() && factory instanceof CachingConnectionFactory own) {
				own.destroy();
			}
		});
	}

	private record Key(ConnectionFactory shared, String purpose) {

		private static final long IDLE_SECONDS = 5;

		ConnectionFactory derive(ConnectionAborter aborter) {
			if (this.shared instanceof AbstractConnectionFactory factory && known(factory.getClass())) {
				CachingConnectionFactory own = derived(factory);
				FatalErrors.watch(own);
				aborter.watch(own);
				return own;
			}
			logger.info("%s shares the connections of %s, whose class is none of Spring AMQP's".formatted(this.purpose,
					this.shared.getClass().getName()));
			return this.shared;
		}

		private static ExecutorService onDemand() {
			return new ThreadPoolExecutor(0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS,
					new SynchronousQueue<>(), DaemonThreads.numbered("rabbit-retry-dead-letters-"));
		}

		private static boolean known(Class<?> type) {
			return type == CachingConnectionFactory.class || type == PooledChannelConnectionFactory.class
					|| type == ThreadChannelConnectionFactory.class;
		}

		private CachingConnectionFactory derived(AbstractConnectionFactory factory) {
			// a copy, as Spring AMQP changes the settings of the one that it gets
			CachingConnectionFactory own = new CachingConnectionFactory(factory.getRabbitConnectionFactory().clone());
			FactorySettings settings = new FactorySettings(factory);
			if (settings.addresses() != null) {
				own.setAddressResolver(new SameAddresses(settings));
			}
			if (Set.of(DEAD_LETTERS, QUARANTINE).contains(this.purpose)) {
				// listeners of quarantine queues block there, so each has a thread while
				// it has a message
				own.setExecutor(onDemand());
			}
			else if (settings.executor() != null) {
				own.setExecutor(settings.executor());
			}
			own.setCloseTimeout(settings.closeTimeout());
			own.setConnectionNameStrategy(
					(any) -> settings.nameStrategy().obtainNewConnectionName(factory) + "." + this.purpose);
			return own;
		}

	}

	/**
	 * The application's addresses, in the order that it asks for.
	 *
	 * @param settings the application's settings
	 */
	private record SameAddresses(FactorySettings settings) implements AddressResolver {

		@Override
		public List<Address> getAddresses() {
			List<Address> addresses = this.settings.addresses();
			return (addresses != null) ? addresses : List.of();
		}

		@Override
		public List<Address> maybeShuffle(List<Address> addresses) {
			return this.settings.shuffled() ? AddressResolver.super.maybeShuffle(addresses) : addresses;
		}

		/** Spring AMQP logs it at each connection. */
		@Override
		public String toString() {
			return getAddresses().toString();
		}

	}

}
