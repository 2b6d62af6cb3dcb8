/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.connection;

import java.util.List;
import java.util.function.BooleanSupplier;

import com.rabbitmq.client.ConnectionFactory;
import io.github.rabbitretry.internal.health.HealthProblem;
import io.github.rabbitretry.internal.health.HealthSource;
import io.github.rabbitretry.internal.thread.Watchdog;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.connection.AbstractConnectionFactory;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.context.Lifecycle;

/**
 * Handles an {@link Error} in a thread that reads from the broker or calls listeners,
 * such as that there is no memory. After it a process may look alive and consume nothing,
 * or only a part of what it should, so all its consumers are closed: the broker delivers
 * to other instances what was not settled. Only a restart of the process helps.
 */
public final class FatalErrors implements HealthSource {

	/** The one that Spring AMQP's containers exit with. */
	private static final int EXIT_CODE = 99;

	private static final Log logger = LogFactory.getLog(FatalErrors.class);

	private final FatalErrorAction action;

	private final Watchdog watchdog;

	private volatile String where = "";

	private volatile @Nullable Error last;

	/**
	 * Creates the handling.
	 * @param action what follows an error
	 * @param watchdog notices one
	 */
	public FatalErrors(FatalErrorAction action, Watchdog watchdog) {
		this.action = action;
		this.watchdog = watchdog;
		// resolves what it needs while there is memory
		isFatal(new AssertionError());
		watchdog.monitorWithoutMemory("rabbit-retry-exit", () -> action == FatalErrorAction.EXIT && this.last != null,
				() -> System.exit(EXIT_CODE));
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
		// resolved while there is memory
		String where = "a thread of a listener container";
		container.setJavaLangErrorHandler((error) -> failed(where, error));
		ContainerThreads threads = new ContainerThreads(container, (error) -> failed(where, error));
		container.setTaskExecutor(threads);
		monitor(() -> stops(container) || threads.leftOpen(), () -> {
			try {
				if (stops(container)) {
					container.stop();
				}
			}
			finally {
				threads.closeLeftOpen();
			}
		});
	}

	/**
	 * Adds what consumes, to be stopped after an error, and whenever something starts it
	 * again, as the end of an outage would.
	 * @param consumer a container, or what has one
	 */
	public void stopUponError(Lifecycle consumer) {
		monitor(() -> stops(consumer), consumer::stop);
	}

	private boolean stops(Lifecycle consumer) {
		return this.action == FatalErrorAction.STOP && this.last != null && consumer.isRunning();
	}

	private void monitor(BooleanSupplier due, Runnable action) {
		this.watchdog.monitorWithoutMemory("rabbit-retry-fatal-errors-stop", due, action);
	}

	/**
	 * To be called upon an error by a thread that is not a container's. An overflown
	 * stack is only logged: it takes one message to overflow it, and ends no more than
	 * the connection or container that reports it.
	 * @param where the thread, in words
	 * @param error the error, which is logged with its trace already
	 */
	public void failed(String where, Error error) {
		boolean fatal = isFatal(error);
		if (fatal) {
			// nothing that needs memory before this
			this.where = where;
			this.last = error;
		}
		try {
			logger.error("%s in %s%s".formatted(error, where, fatal ? "; action: " + this.action : ""));
		}
		catch (Throwable ex) {
			// there is no memory to log it
		}
	}

	private static boolean isFatal(Error error) {
		return !(error instanceof StackOverflowError);
	}

	@Override
	public List<HealthProblem> problems() {
		Error error = this.last;
		return (error != null) ? List.of(new HealthProblem("fatal-error", this.where, error.toString())) : List.of();
	}

}
