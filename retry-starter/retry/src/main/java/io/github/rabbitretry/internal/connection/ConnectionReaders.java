/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.connection;

import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;

import com.rabbitmq.client.AMQP;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.amqp.rabbit.connection.Connection;
import org.springframework.amqp.rabbit.connection.ConnectionListener;

/**
 * Knows which thread reads which connection, and closes connections that nobody reads.
 * The client tells whoever uses a connection that it ended on the thread that reads it,
 * so that nobody is told if an error ends that thread on the way.
 */
final class ConnectionReaders implements ConnectionListener {

	private static final Log logger = LogFactory.getLog(ConnectionReaders.class);

	private static final String READER = "com.rabbitmq.client.impl.AMQConnection$MainLoop";

	private static final int CLOSE_TIMEOUT = 1_000;

	private final ThreadLocal<Thread> started = new ThreadLocal<>();

	private final Set<Reader> readers = ConcurrentHashMap.newKeySet();

	/** The factory is asked for the reader's thread while the connection is opened. */
	ThreadFactory around(ThreadFactory threads) {
		return (task) -> {
			Thread thread = threads.newThread(task);
			if (task.getClass().getName().equals(READER)) {
				this.started.set(thread);
			}
			return thread;
		};
	}

	@Override
	public void onCreate(Connection connection) {
		Thread thread = this.started.get();
		this.started.remove();
		com.rabbitmq.client.Connection delegate = connection.getDelegate();
		if (thread != null && delegate != null) {
			this.readers.add(new Reader(delegate, thread));
		}
	}

	/**
	 * Closes connections without a reader.
	 * @return how many there were
	 */
	int closeUnread() {
		int closed = 0;
		for (Iterator<Reader> iterator = this.readers.iterator(); iterator.hasNext();) {
			Reader reader = iterator.next();
			// in this order: a reader that ends as it should has closed its connection
			boolean alive = reader.thread().isAlive();
			boolean open = reader.connection().isOpen();
			if (!alive) {
				iterator.remove();
			}
			if (!alive && open) {
				logger.error("Nothing reads connection %s any more; it is closed".formatted(reader.connection()));
				reader.connection().abort(AMQP.INTERNAL_ERROR, "Nothing reads this connection", CLOSE_TIMEOUT);
				closed++;
			}
		}
		return closed;
	}

	private record Reader(com.rabbitmq.client.Connection connection, Thread thread) {
	}

}
