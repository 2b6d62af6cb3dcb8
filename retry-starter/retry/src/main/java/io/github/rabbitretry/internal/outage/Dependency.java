/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.outage;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.github.rabbitretry.event.DeliveryListener;
import io.github.rabbitretry.event.DeliveryListener.Outage;
import io.github.rabbitretry.internal.logging.BestEffortLog;
import io.github.rabbitretry.internal.policy.OutageSettings;
import io.github.rabbitretry.internal.thread.DaemonThreads;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * A service that handlers call, and the listeners that are paused while it is down. Its
 * thread ends when there is nothing to do for some seconds.
 */
public final class Dependency implements Consumer<@Nullable Outage>, AutoCloseable {

	private static final Log logger = LogFactory.getLog(Dependency.class);

	private static final Duration AGAIN = Duration.ofSeconds(5);

	/** How often probes are looked at, as a part of the time that they may take. */
	private static final int LOOKS = 4;

	/** A container that is stopped while its consumers start leaves deliveries behind. */
	private static final Duration STARTED = Duration.ofMillis(500);

	private final DependencyCircuit circuit;

	private final DeliveryListener events;

	private final List<PausableListener> listeners = new CopyOnWriteArrayList<>();

	private final ThreadFactory threads;

	private final ScheduledThreadPoolExecutor executor;

	Dependency(OutageSettings settings, List<String> messageTypes, Duration probeTime, DeliveryListener events,
			InstantSource clock) {
		this(settings, messageTypes, probeTime, events, clock, DaemonThreads.named("rabbit-retry-outage"));
	}

	Dependency(OutageSettings settings, List<String> messageTypes, Duration probeTime, DeliveryListener events,
			InstantSource clock, ThreadFactory threads) {
		this.circuit = new DependencyCircuit(settings, messageTypes, probeTime, clock, this);
		this.events = events;
		this.threads = threads;
		this.executor = new ScheduledThreadPoolExecutor(1, threads);
		this.executor.setKeepAliveTime(AGAIN.toSeconds(), TimeUnit.SECONDS);
		this.executor.allowCoreThreadTimeOut(true);
	}

	/**
	 * Whether the service is down.
	 * @return the circuit
	 */
	public DependencyCircuit circuit() {
		return this.circuit;
	}

	/**
	 * Adds a listener whose handler calls the service.
	 * @param listener the listener
	 */
	public void add(PausableListener listener) {
		this.listeners.add(listener);
	}

	/**
	 * To be called when a listener consumes though the circuit lets no call through, or
	 * may be about to: it was started by other code.
	 */
	public void refused() {
		after(STARTED, this::follow);
	}

	/**
	 * To be called when listeners may not be as the circuit says.
	 */
	public void check() {
		after(Duration.ZERO, this::follow);
	}

	/** To be called now and then: does what an error kept from being planned. */
	public void awake() {
		if (this.executor.getQueue().isEmpty() && this.executor.getActiveCount() == 0) {
			if (!this.circuit.closed()) {
				after(Duration.ZERO, () -> {
					this.circuit.beginMissingOutage();
					planProbes();
				});
			}
			else if (this.listeners.stream().anyMatch(PausableListener::paused)) {
				check();
			}
		}
	}

	/** The change is followed even if the event fails. */
	@Override
	public void accept(@Nullable Outage outage) {
		try {
			if (outage != null && outage.ended() == null) {
				this.events.outageBegan(outage);
			}
			else if (outage != null) {
				this.events.outageEnded(outage);
			}
		}
		finally {
			planProbes();
		}
	}

	private void planProbes() {
		check();
		if (this.circuit.open()) {
			int period = this.circuit.period();
			after(this.circuit.untilProbe(), () -> probe(period));
		}
		else if (!this.circuit.closed()) {
			watchProbes(this.circuit.period());
		}
	}

	/** Several threads may have planned the same one. */
	private void probe(int planned) {
		if (this.circuit.period() == planned) {
			this.circuit.halfOpen();
			watchProbes(this.circuit.period());
			follow();
		}
	}

	private void watchProbes(int period) {
		if (this.circuit.period() == period) {
			this.circuit.giveUpProbe();
			after(this.circuit.probeTime().dividedBy(LOOKS), () -> watchProbes(period));
		}
	}

	/** Has the listeners do what the circuit says by now. */
	private void follow() {
		if (this.circuit.open()) {
			each(PausableListener::pause);
		}
		else if (!this.circuit.closed()) {
			each(PausableListener::probe);
		}
		else {
			each(PausableListener::resume);
		}
	}

	/** Side by side: each waits for its handlers. */
	private void each(Consumer<PausableListener> action) {
		CompletableFuture<?>[] others = this.listeners.stream()
			.skip(1)
			.map((listener) -> CompletableFuture.runAsync(() -> attempt(action, listener),
					(task) -> this.threads.newThread(task).start()))
			.toArray(CompletableFuture[]::new);
		this.listeners.stream().limit(1).forEach((listener) -> attempt(action, listener));
		Arrays.stream(others).forEach(CompletableFuture::join);
	}

	private void attempt(Consumer<PausableListener> action, PausableListener listener) {
		try {
			action.accept(listener);
		}
		catch (Throwable ex) {
			BestEffortLog.error(logger,
					"A listener could not be paused or resumed for '%s', which is tried again in %s s"
						.formatted(this.circuit.dependency(), AGAIN.toSeconds()),
					ex);
			after(AGAIN, this::follow);
		}
	}

	private void after(Duration delay, Runnable task) {
		try {
			this.executor.schedule(task, delay.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (RejectedExecutionException ex) {
			logger.debug("The application stops", ex);
		}
	}

	@Override
	public void close() {
		this.executor.shutdownNow();
	}

}
