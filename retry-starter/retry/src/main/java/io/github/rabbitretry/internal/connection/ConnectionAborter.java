/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.connection;

import java.io.IOException;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.SocketConfigurator;
import com.rabbitmq.client.impl.NetworkConnection;
import io.github.rabbitretry.internal.thread.DaemonThreads;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.connection.AbstractConnectionFactory;
import org.springframework.amqp.rabbit.connection.Connection;
import org.springframework.amqp.rabbit.connection.ConnectionListener;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextAware;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextClosedEvent;

/**
 * Aborts the connections that are still there when the time that the application's stop
 * may take is nearly over. A broker that stands still answers neither the end of a
 * consumer nor a close, for which Spring AMQP and the client wait up to minutes; with its
 * connection all that waits for an answer ends.
 */
public final class ConnectionAborter
		implements ConnectionListener, ApplicationListener<ContextClosedEvent>, ApplicationContextAware {

	private static final Log logger = LogFactory.getLog(ConnectionAborter.class);

	private static final int CLOSE_MILLIS = 100;

	private static final long POLL_INTERVAL = TimeUnit.MILLISECONDS.toNanos(10);

	private final StopDeadline deadline;

	/** Until their sockets are closed; not open any more are those being closed. */
	private final Set<com.rabbitmq.client.Connection> connections = ConcurrentHashMap.newKeySet();

	/** Of connections that are not there yet. */
	private final Set<Socket> opening = ConcurrentHashMap.newKeySet();

	private final List<ConnectionFactory> factories = new CopyOnWriteArrayList<>();

	private @Nullable ApplicationContext context;

	/**
	 * Creates it.
	 * @param deadline the time that a stop may take
	 */
	public ConnectionAborter(StopDeadline deadline) {
		this.deadline = deadline;
	}

	@Override
	public void setApplicationContext(ApplicationContext applicationContext) {
		this.context = applicationContext;
	}

	/**
	 * Watches the connections of a factory, its publishing ones included.
	 * @param factory the factory
	 */
	public void watch(AbstractConnectionFactory factory) {
		factory.addConnectionListener(this);
		ConnectionFactory client = factory.getRabbitConnectionFactory();
		SocketConfigurator configured = client.getSocketConfigurator();
		client.setSocketConfigurator((socket) -> {
			configured.configure(socket);
			this.opening.removeIf(Socket::isClosed);
			this.opening.add(socket);
		});
		this.factories.add(client);
	}

	@Override
	public void onCreate(Connection connection) {
		com.rabbitmq.client.Connection delegate = connection.getDelegate();
		this.opening.removeIf((socket) -> !(delegate instanceof NetworkConnection opened)
				|| socket.getLocalPort() == opened.getLocalPort());
		if (delegate != null && this.connections.add(delegate)) {
			delegate.addShutdownListener((cause) -> this.connections.remove(delegate));
		}
	}

	@Override
	public void onApplicationEvent(ContextClosedEvent event) {
		// not that of a child
		if (event.getApplicationContext() == this.context) {
			this.deadline.begin();
			// without a connection, nothing was delivered that could be settled
			hurry(this.connections.isEmpty() ? 1 : (int) this.deadline.ofOneConnection().toMillis());
			this.opening.forEach(ConnectionAborter::close);
			long until = this.deadline.ofConnections();
			inThreadOfItsOwn(() -> abortAt(until));
		}
	}

	/** A lost connection is replaced under a lock that to close one needs. */
	private void hurry(int milliseconds) {
		for (ConnectionFactory factory : this.factories) {
			factory.setConnectionTimeout(milliseconds);
			// half of it for each of its two steps
			factory.setHandshakeTimeout(2 * milliseconds);
		}
	}

	/** What waits for a broker that stands still holds locks that a stop needs. */
	private static void close(Socket socket) {
		try {
			socket.close();
		}
		catch (IOException ex) {
			logger.debug("A socket could not be closed", ex);
		}
	}

	private void abortAt(long until) {
		while (!this.connections.isEmpty() && until - System.nanoTime() > 0) {
			LockSupport.parkNanos(this, POLL_INTERVAL);
		}
		hurry(1);
		this.opening.forEach(ConnectionAborter::close);
		this.connections.forEach((connection) -> {
			logger.warn(("Connection %s is aborted: it could not be closed within rabbit-retry.shutdown-timeout. What "
					+ "was delivered on it and is not settled will be delivered again")
				.formatted(connection));
			// side by side: each waits a moment for the broker
			inThreadOfItsOwn(() -> connection.abort(CLOSE_MILLIS));
		});
	}

	private static void inThreadOfItsOwn(Runnable task) {
		DaemonThreads.start("rabbit-retry-stop-deadline", task);
	}

}
