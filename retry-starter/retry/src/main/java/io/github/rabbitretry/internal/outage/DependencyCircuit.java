/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.outage;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import io.github.rabbitretry.event.DeliveryListener.Outage;
import io.github.rabbitretry.internal.policy.OutageSettings;
import org.jspecify.annotations.Nullable;

/**
 * Whether a service that handlers call is down, as their failures show it. All message
 * types that name the service share its circuit.
 * <p>
 * Closed, every call is let through and counted. Open, none is. Half open, one after the
 * other is, as probes: once there were enough, the failure rate that opens the circuit
 * opens it again or closes it. What began before a change says nothing after it.
 */
public final class DependencyCircuit {

	private final OutageSettings settings;

	private final InstantSource clock;

	private final DependencyBreaker breaker;

	/** Changed by the owner of this. */
	private final Outages outages;

	private final Consumer<@Nullable Outage> listener;

	/** The window may fill, and open the circuit, on a success. */
	private volatile String lastReason = "";

	/** Counts the changes. */
	private volatile int period;

	/** That is being made. Guarded by this. */
	private @Nullable CircuitCall probe;

	private final ProbeTime probeTime;

	/** How often in a row all probes failed. Guarded by this. */
	private int failedPeriods;

	/** In a row, for a reason that is not one of an outage. */
	private final AtomicInteger timedOutProbes = new AtomicInteger();

	/**
	 * Creates a closed circuit.
	 * @param settings those of the service
	 * @param messageTypes the policies that share it
	 * @param probeTime how long a probe may take
	 * @param clock what time it is
	 * @param listener notified of each change of the circuit by the thread that made it,
	 * with the outage that began or has ended with that, or {@code null}
	 */
	DependencyCircuit(OutageSettings settings, List<String> messageTypes, Duration probeTime, InstantSource clock,
			Consumer<@Nullable Outage> listener) {
		this.settings = settings;
		this.outages = new Outages(settings.dependency(), messageTypes);
		this.probeTime = new ProbeTime(probeTime);
		this.clock = clock;
		this.listener = listener;
		this.breaker = new DependencyBreaker(settings);
	}

	/**
	 * The service.
	 * @return its name
	 */
	public String dependency() {
		return this.settings.dependency();
	}

	/**
	 * The current outage.
	 * @return the outage, or {@code null} if there is none
	 */
	public @Nullable Outage outage() {
		return this.outages.current();
	}

	boolean closed() {
		return this.breaker.closed();
	}

	boolean open() {
		return this.breaker.open();
	}

	/**
	 * All probes there were.
	 * @return a number that grows
	 */
	public long probes() {
		return this.outages.probes();
	}

	/**
	 * All outages there were, the current one included.
	 * @return a number that grows
	 */
	public long outages() {
		return this.outages.count();
	}

	/**
	 * Lets a call through.
	 * @param reasons the reasons that count for its message type
	 * @return the call, or {@code null} if it has to wait
	 */
	public @Nullable CircuitCall tryCall(Set<String> reasons) {
		int now = this.period;
		return closed() ? new CircuitCall(this, reasons, now, null) : tryProbe(reasons);
	}

	private synchronized @Nullable CircuitCall tryProbe(Set<String> reasons) {
		Outage current = outage();
		// before the breaker counts a probe, which nothing would end if the clock failed
		Instant now = this.clock.instant();
		if (current == null || this.probe != null || open() || !this.breaker.tryProbe()) {
			return null;
		}
		this.probe = new CircuitCall(this, reasons, this.period, now);
		this.outages.probed(current);
		return this.probe;
	}

	void succeeded(CircuitCall call) {
		if (call.probe()) {
			this.timedOutProbes.set(0);
			probed(call, true);
		}
		else if (count(call, null)) {
			if (!closed()) {
				opened(call.period(), this.lastReason);
			}
			else if (outage() != null) {
				// the thread of the last probe has not come to that yet, or failed
				end();
			}
		}
	}

	boolean failed(CircuitCall call, String reason) {
		if (call.probe()) {
			this.timedOutProbes.set(0);
			probed(call, false);
		}
		else if (count(call, reason) && !closed()) {
			opened(call.period(), reason);
		}
		return !closed();
	}

	/** Half open, it would count as a probe's. */
	private synchronized boolean count(CircuitCall call, @Nullable String failure) {
		if (call.period() != this.period) {
			return false;
		}
		this.lastReason = (failure != null) ? failure : this.lastReason;
		this.breaker.ended(failure == null);
		return true;
	}

	/** A probe that timed out, where that is not a reason for an outage. */
	void timedOut(CircuitCall probe) {
		probed(probe, this.timedOutProbes.incrementAndGet() > this.settings.resumeCalls());
	}

	/** A probe that showed nothing: the next message is one in its place. */
	synchronized void released(CircuitCall call) {
		if (call == this.probe) {
			this.probe = null;
			this.breaker.releaseProbe();
		}
	}

	/** Begins an outage that the circuit is open for and that an error kept from it. */
	void beginMissingOutage() {
		int now = this.period;
		if (outage() == null) {
			opened(now, this.lastReason);
		}
	}

	/** Unless another call of the same period was quicker. */
	private void opened(int before, String reason) {
		@Nullable Outage began = null;
		synchronized (this) {
			if (this.period != before || !open()) {
				return;
			}
			if (outage() == null) {
				began = this.outages.begin(reason, this.clock.instant());
				this.failedPeriods = 0;
				this.timedOutProbes.set(0);
				this.period++;
			}
			else {
				// it was closed, and opens before the outage has ended
				reopened();
			}
		}
		this.listener.accept(began);
	}

	/**
	 * To be called now and then: a probe that takes too long counts as failed and opens
	 * the circuit, as the next one would have to wait for it. One whose delivery the
	 * broker has again shows nothing.
	 */
	void giveUpProbe() {
		@Nullable CircuitCall call;
		boolean late;
		synchronized (this) {
			call = this.probe;
			late = call != null && this.probeTime.exceededBy(call, this.clock.instant());
			if (late) {
				this.breaker.reopen();
				reopened();
			}
		}
		if (late) {
			this.listener.accept(null);
		}
		else if (call != null && call.abandoned()) {
			released(call);
		}
	}

	private void probed(CircuitCall call, boolean succeeded) {
		boolean reopened;
		synchronized (this) {
			if (call != this.probe) {
				if (succeeded) {
					this.probeTime.learnFrom(call, this.clock.instant());
				}
				return;
			}
			this.probe = null;
			this.breaker.ended(succeeded);
			reopened = open();
			if (reopened) {
				reopened();
			}
		}
		if (reopened) {
			this.listener.accept(null);
		}
		else {
			end();
		}
	}

	/** A service that answers now and then is asked as often as at first. */
	private void reopened() {
		this.probe = null;
		this.failedPeriods = this.breaker.allFailed() ? this.failedPeriods + 1 : 0;
		this.period++;
	}

	/** Unless more probes are needed. */
	private void end() {
		Outage ended;
		synchronized (this) {
			Outage current = outage();
			if (!closed() || current == null) {
				return;
			}
			ended = this.outages.end(current, this.clock.instant());
			// it says nothing any more, and its failure would open the circuit again
			this.probe = null;
			this.period++;
		}
		this.listener.accept(ended);
	}

	/** Lets the next calls through, one after the other. */
	synchronized void halfOpen() {
		if (open()) {
			this.probe = null;
			this.period++;
			this.breaker.halfOpen();
		}
	}

	/** How often it changed. */
	int period() {
		return this.period;
	}

	/** How long a probe may take. */
	synchronized Duration probeTime() {
		return this.probeTime.get();
	}

	/** How long no probe is made after the circuit opened. */
	synchronized Duration untilProbe() {
		return this.breaker.untilProbe(this.failedPeriods);
	}

	/**
	 * How long messages wait that an outage caught: until the first probe. They are not
	 * consumed when they come back before the outage has ended.
	 * @return the delay
	 */
	public Duration delay() {
		return this.settings.probeInterval();
	}

	/**
	 * How much of a time span was an outage, as far as this process knows.
	 * @param from the beginning
	 * @param to the end
	 * @return zero if none
	 */
	public Duration outagesBetween(Instant from, Instant to) {
		return this.outages.within(from, to);
	}

}
