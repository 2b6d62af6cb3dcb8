/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.connection;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import com.rabbitmq.client.ConnectionFactory;
import io.github.rabbitretry.internal.event.OccasionalWarning;
import io.github.rabbitretry.internal.health.HealthProblem;
import io.github.rabbitretry.internal.health.HealthSource;
import io.github.rabbitretry.internal.thread.DaemonThreads;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.connection.AbstractConnectionFactory;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.context.SmartLifecycle;

/**
 * Handles an {@link Error} in a thread that reads from the broker or calls listeners.
 * Left alone, it may leave a process that looks alive and consumes nothing.
 */
public final class FatalErrors implements HealthSource, SmartLifecycle {

	/** The one that Spring AMQP's containers exit with. */
	private static final int EXIT_CODE = 99;

	private static final Log logger = LogFactory.getLog(FatalErrors.class);

	private static final Duration PERIOD = Duration.ofMillis(500);

	/** How long an error is shown, so that a health check sees it. */
	private static final long SHOWN = Duration.ofMinutes(1).toNanos();

	private final FatalErrorAction action;

	private final ConnectionReaders readers = new ConnectionReaders();

	private final List<WatchedContainer> containers = new CopyOnWriteArrayList<>();

	private final OccasionalWarning notStarted = new OccasionalWarning(logger, Duration.ofSeconds(30));

	private volatile @Nullable Failure last;

	private volatile @Nullable CountDownLatch stopping;

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
			client.setThreadFactory(this.readers.around(client.getThreadFactory()));
		}
		factory.addConnectionListener(this.readers);
	}

	/**
	 * Watches a container, not yet started.
	 * @param container the container
	 */
	public void watch(AbstractMessageListenerContainer container) {
		WatchedContainer watched = new WatchedContainer(container);
		this.containers.add(watched);
		container.setJavaLangErrorHandler((error) -> {
			watched.failed();
			failed("a thread of container '%s'".formatted(watched.name()), error);
		});
	}

	/**
	 * To be called upon an error by a thread that is not a container's.
	 * @param where the thread, in words
	 * @param error the error, which is logged with its trace already
	 */
	public void failed(String where, Throwable error) {
		// nothing that needs memory before this
		this.last = new Failure(System.nanoTime(), where, error);
		// with the error's trace it is logged by the client or the container already
		logger.error("%s in %s; action: %s".formatted(error, where, this.action));
	}

	@Override
	public List<HealthProblem> problems() {
		Failure failure = this.last;
		if (failure == null || (!failure.shown() && recovered())) {
			return List.of();
		}
		return List.of(new HealthProblem("fatal-error", failure.where(), failure.error().toString()));
	}

	private boolean recovered() {
		return this.containers.stream().allMatch(WatchedContainer::recovered);
	}

	/** Its thread is there before there may be no memory for one. */
	@Override
	public synchronized void start() {
		CountDownLatch latch = new CountDownLatch(1);
		this.stopping = latch;
		DaemonThreads.start("rabbit-retry-fatal-errors", () -> follow(latch));
	}

	private void follow(CountDownLatch latch) {
		while (latch.getCount() > 0) {
			try {
				if (latch.await(PERIOD.toMillis(), TimeUnit.MILLISECONDS)) {
					return;
				}
				look();
			}
			catch (InterruptedException ex) {
				return;
			}
			catch (Throwable ex) {
				lookFailed(ex);
			}
		}
	}

	private void lookFailed(Throwable ex) {
		try {
			if (ex instanceof Error) {
				failed("the look at connections and containers", ex);
			}
			else {
				this.notStarted.warn(() -> "Containers could not be started again, which is tried again: " + ex);
			}
		}
		catch (Throwable again) {
			// no memory to say so: the thread has to go on all the same
			logger.debug("A failure could not be reported", again);
		}
	}

	private void look() {
		if (this.readers.closeUnread() > 0 && this.last == null) {
			failed("a connection's reader", new IllegalStateException("the reader ended without a word"));
		}
		Failure failure = this.last;
		if (failure == null) {
			return;
		}
		if (this.action == FatalErrorAction.EXIT) {
			System.exit(EXIT_CODE);
		}
		if (failure.shown() || !recovered()) {
			this.containers.stream().filter(WatchedContainer::needsStart).forEach(this::startAgain);
		}
	}

	private void startAgain(WatchedContainer container) {
		logger.warn("Container '%s' is started again: an error left it without consumers".formatted(container.name()));
		try {
			container.startAgain();
		}
		catch (RuntimeException ex) {
			// the others are started all the same, and this one at the next look
			lookFailed(ex);
		}
	}

	@Override
	public synchronized void stop() {
		CountDownLatch latch = this.stopping;
		if (latch != null) {
			latch.countDown();
		}
		this.stopping = null;
	}

	@Override
	public boolean isRunning() {
		return this.stopping != null;
	}

	/** Starts no container that the application stops. */
	@Override
	public int getPhase() {
		return LifecyclePhases.LISTENERS;
	}

	private record Failure(long at, String where, Throwable error) {

		boolean shown() {
			return System.nanoTime() - this.at < SHOWN;
		}

	}

}
