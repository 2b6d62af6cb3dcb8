/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.connection;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import com.rabbitmq.client.ConnectionFactory;
import io.github.rabbitretry.internal.health.HealthProblem;
import io.github.rabbitretry.internal.health.HealthSource;
import io.github.rabbitretry.internal.logging.BestEffortLog;
import io.github.rabbitretry.internal.thread.DaemonThreads;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.connection.AbstractConnectionFactory;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.context.Lifecycle;
import org.springframework.context.SmartLifecycle;

/**
 * Handles an {@link Error} in a thread that reads from the broker or calls listeners,
 * such as that there is no memory. After it a process may look alive and consume nothing,
 * or only a part of what it should, so all its consumers are closed: the broker delivers
 * to other instances what was not settled. Only a restart of the process helps.
 */
public final class FatalErrors implements HealthSource, SmartLifecycle {

	/** The one that Spring AMQP's containers exit with. */
	private static final int EXIT_CODE = 99;

	private static final Log logger = LogFactory.getLog(FatalErrors.class);

	/** How soon consumers are looked at again, in milliseconds. */
	private static final long PERIOD = 500;

	private final FatalErrorAction action;

	private final List<Lifecycle> consumers = new CopyOnWriteArrayList<>();

	private final Set<Lifecycle> stopping = ConcurrentHashMap.newKeySet();

	private final Semaphore failures = new Semaphore(0);

	private volatile String where = "";

	private volatile @Nullable Error last;

	private volatile @Nullable Thread thread;

	/**
	 * Creates the handling.
	 * @param action what follows an error
	 */
	public FatalErrors(FatalErrorAction action) {
		this.action = action;
	}

	/**
	 * Watches the connections of a factory, its publishing ones included. To be called
	 * before it opens the first.
	 * @param factory the factory
	 */
	public void watch(AbstractConnectionFactory factory) {
		ConnectionFactory client = factory.getRabbitConnectionFactory();
		if (!(client.getExceptionHandler() instanceof ReportingExceptionHandler)) {
			client.setExceptionHandler(new ReportingExceptionHandler(client.getExceptionHandler(), this));
		}
	}

	/**
	 * Watches a container, not yet started.
	 * @param container the container
	 */
	public void watch(AbstractMessageListenerContainer container) {
		container.setJavaLangErrorHandler((error) -> failed("a thread of a listener container", error));
		stopUponError(container);
	}

	/**
	 * Adds what consumes, to be stopped after an error.
	 * @param consumer a container, or what has one
	 */
	public void stopUponError(Lifecycle consumer) {
		this.consumers.add(consumer);
	}

	/**
	 * To be called upon an error by a thread that is not a container's. An overflown
	 * stack is only logged: it takes one message to overflow it, and ends no more than
	 * the connection or container that reports it.
	 * @param where the thread, in words
	 * @param error the error, which is logged with its trace already
	 */
	public void failed(String where, Error error) {
		boolean fatal = !(error instanceof StackOverflowError);
		if (fatal) {
			// nothing that needs memory before this
			this.where = where;
			this.last = error;
			this.failures.release();
		}
		try {
			logger.error("%s in %s%s".formatted(error, where, fatal ? "; action: " + this.action : ""));
		}
		catch (Throwable ex) {
			// there is no memory to log it
		}
	}

	@Override
	public List<HealthProblem> problems() {
		Error error = this.last;
		return (error != null) ? List.of(new HealthProblem("fatal-error", this.where, error.toString())) : List.of();
	}

	/** Its thread is there before there may be no memory for one. */
	@Override
	public synchronized void start() {
		if (this.thread == null) {
			this.thread = DaemonThreads.start("rabbit-retry-fatal-errors", this::follow);
		}
	}

	private void follow() {
		while (!Thread.currentThread().isInterrupted()) {
			try {
				this.failures.tryAcquire((this.last != null) ? PERIOD : Long.MAX_VALUE, TimeUnit.MILLISECONDS);
				if (this.last != null) {
					react();
				}
			}
			catch (InterruptedException ex) {
				return;
			}
			catch (Throwable ex) {
				BestEffortLog.error(logger, "Consumers could not be stopped, which is tried again", ex);
			}
		}
	}

	/** Again and again: the end of an outage, for example, starts containers. */
	private void react() {
		if (this.action == FatalErrorAction.EXIT) {
			System.exit(EXIT_CODE);
		}
		this.consumers.forEach(this::stopInThreadOfItsOwn);
	}

	/** Without an answer of the broker, one may wait for minutes. */
	private void stopInThreadOfItsOwn(Lifecycle consumer) {
		try {
			if (!this.stopping.contains(consumer) && consumer.isRunning()) {
				this.stopping.add(consumer);
				DaemonThreads.start("rabbit-retry-fatal-errors-stop", () -> stop(consumer));
			}
		}
		catch (Throwable ex) {
			// there is no memory for a thread
			stop(consumer);
		}
	}

	private void stop(Lifecycle consumer) {
		try {
			if (consumer.isRunning()) {
				consumer.stop();
			}
		}
		catch (Throwable ex) {
			BestEffortLog.error(logger, "A consumer could not be stopped, which is tried again", ex);
		}
		finally {
			this.stopping.remove(consumer);
		}
	}

	@Override
	public synchronized void stop() {
		Thread waiting = this.thread;
		if (waiting != null) {
			waiting.interrupt();
		}
		this.thread = null;
	}

	@Override
	public boolean isRunning() {
		return this.thread != null;
	}

}
