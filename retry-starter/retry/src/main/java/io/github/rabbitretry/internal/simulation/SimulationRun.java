/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.simulation;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.classify.FailureClassification;
import io.github.rabbitretry.classify.Reasons;
import io.github.rabbitretry.decision.Decision;
import io.github.rabbitretry.internal.decision.Decider;
import io.github.rabbitretry.internal.decision.RetryRatioLimiter;
import io.github.rabbitretry.internal.decision.ThrottledDelay;
import io.github.rabbitretry.internal.message.DeliveryHistory;
import io.github.rabbitretry.internal.outage.CircuitCall;
import io.github.rabbitretry.internal.outage.SimulatedDependency;
import io.github.rabbitretry.internal.policy.HandlerTime;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.simulation.SimulatedMessage.Call;
import io.github.rabbitretry.internal.simulation.SimulatedMessage.Step;
import io.github.rabbitretry.simulation.SimulatedLoad;
import org.jspecify.annotations.Nullable;

/**
 * One run. Messages take the steps that the advice of a listener has them take; what is
 * decided about them is decided by the classes that decide there.
 */
final class SimulationRun {

	private static final FailureClassification TIMED_OUT = FailureClassification.of(FailureClass.TRANSIENT,
			Reasons.HANDLER_TIMEOUT);

	private final MessagePolicy policy;

	private final SimulatedLoad load;

	private final SimulationBounds bounds;

	private final FailureClassification failure;

	private final Decider decider;

	private final RandomGenerator luck;

	private final @Nullable RetryRatioLimiter limiter;

	private final @Nullable SimulatedDependency dependency;

	private final EventQueue events = new EventQueue();

	private final ArrayDeque<SimulatedMessage> workQueue = new ArrayDeque<>();

	private final Tally tally = new Tally();

	private final long outageBegin;

	private final long outageEnd;

	/** Nanoseconds since the first message. */
	private long now;

	private int busy;

	/** Messages that have failed and are not done with. */
	private int failed;

	private long happened;

	SimulationRun(MessagePolicy policy, SimulatedLoad load, SimulationBounds bounds) {
		this.policy = policy;
		this.load = load;
		this.bounds = bounds;
		this.failure = FailureClassification.of(load.failureClass(), load.reason());
		this.outageBegin = load.outageAt().toNanos();
		this.outageEnd = load.outageEnd().toNanos();
		this.decider = new Decider(new SplittableRandom(load.seed()));
		this.luck = new SplittableRandom(~load.seed());
		this.limiter = (policy.ratio() != null) ? new RetryRatioLimiter(policy.ratio(), () -> this.now) : null;
		InstantSource clock = this::instant;
		this.dependency = (policy.outage() != null)
				? new SimulatedDependency(policy.outage(), policy.messageType(), clock) : null;
	}

	private Instant instant() {
		return this.load.start().plusNanos(this.now);
	}

	Tally run() {
		long arrival = 0;
		while (true) {
			long probe = probeAt();
			long due = Math.min(this.events.due(), probe);
			if (arrival <= due && arrives(arrival)) {
				passTo(Math.max(arrival, this.now));
				SimulatedMessage message = new SimulatedMessage();
				this.tally.messages++;
				arrival = (long) (this.tally.messages * (1e9 / this.load.rate()));
				this.workQueue.add(message);
			}
			else if (due == Long.MAX_VALUE) {
				return this.tally;
			}
			else if (due == probe) {
				passTo(probe);
				Objects.requireNonNull(this.dependency, "it is probed").probe();
			}
			else {
				passTo(due);
				next(this.events.take());
			}
			consume();
		}
	}

	/** How far it got. */
	Duration end() {
		return Duration.ofNanos(this.now);
	}

	private boolean arrives(long at) {
		Duration lasts = this.load.duration();
		if (lasts != null) {
			return at < lasts.toNanos();
		}
		return at < this.outageEnd || this.failed > 0 || backlog();
	}

	private boolean backlog() {
		Integer consumers = this.load.concurrency();
		return consumers != null && this.workQueue.size() > consumers;
	}

	private long probeAt() {
		Instant probe = (this.dependency != null) ? this.dependency.probeAt() : null;
		return (probe != null) ? Duration.between(this.load.start(), probe).toNanos() : Long.MAX_VALUE;
	}

	private void passTo(long nanos) {
		this.now = nanos;
		this.tally.at(nanos);
		this.bounds.check(++this.happened, this.workQueue.size() + this.tally.waiting + this.busy,
				this.tally.minutes.size());
	}

	private void next(SimulatedMessage message) {
		switch (message.step) {
			case RETURNS -> {
				this.tally.waits(-1);
				this.workQueue.add(message);
			}
			case IS_CALLED_AGAIN -> call(message);
			default -> ended(message);
		}
	}

	private void consume() {
		while (!this.workQueue.isEmpty() && consumes()) {
			begin(this.workQueue.remove());
		}
		this.tally.ready(this.workQueue.size());
	}

	/** As paused containers do: not at all, or one message after the other. */
	private boolean consumes() {
		if (this.dependency != null && this.dependency.paused()) {
			return this.dependency.probeAt() == null && this.busy == 0;
		}
		Integer consumers = this.load.concurrency();
		return consumers == null || this.busy < consumers;
	}

	private void begin(SimulatedMessage message) {
		if (message.cameBack()) {
			Optional<Decision> refusal = admit(message);
			if (refusal.isPresent()) {
				settle(message, refusal.get());
				return;
			}
			if (message.attempt > 0) {
				this.tally.retried();
			}
		}
		else if (this.limiter != null) {
			this.limiter.firstDelivery();
		}
		message.circuitCall = (this.dependency != null) ? this.dependency.circuit()
			.tryCall(Objects.requireNonNull(this.policy.outage(), "it has a dependency").reasons()) : null;
		message.localCalls = 0;
		this.busy++;
		call(message);
	}

	private Optional<Decision> admit(SimulatedMessage message) {
		DeliveryHistory history = withoutOutages(message);
		Optional<Decision> refusal = this.decider.admit(this.policy, history, this.failure, instant());
		if (refusal.isPresent() || this.limiter == null || this.policy.brokerAttempts() == 0 || !history.retried()
				|| this.limiter.take()) {
			return refusal;
		}
		return Optional.of(ThrottledDelay.decide(this.policy, history, this.limiter, this.failure, instant()));
	}

	private void call(SimulatedMessage message) {
		boolean fails = this.now >= this.outageBegin && this.now < this.outageEnd
				&& (this.load.failing() == 1 || this.luck.nextDouble() < this.load.failing());
		message.call = fails ? Call.FAILS : Call.SUCCEEDS;
		Duration takes = fails ? this.load.failingTime() : this.load.handlerTime();
		HandlerTime most = this.policy.handlerTime();
		if (most != null && takes.compareTo(most.timeout()) > 0) {
			message.call = Call.TIMES_OUT;
			takes = most.timeout();
		}
		message.localCalls++;
		this.tally.called(message.call != Call.SUCCEEDS);
		if (takes.isZero()) {
			ended(message);
		}
		else {
			message.step = Step.CALL_ENDS;
			this.events.add(message, this.now + takes.toNanos());
		}
	}

	private void ended(SimulatedMessage message) {
		if (message.call == Call.SUCCEEDS) {
			this.busy--;
			this.failed -= message.failed() ? 1 : 0;
			this.tally.succeeded++;
			if (this.limiter != null && message.history().retried()) {
				this.limiter.succeeded();
			}
			if (message.circuitCall != null) {
				message.circuitCall.succeeded();
				message.circuitCall = null;
			}
			return;
		}
		FailureClassification what = (message.call == Call.TIMES_OUT) ? TIMED_OUT : this.failure;
		if (message.localCalls < this.policy.localAttempts() && again(message, what)) {
			message.step = Step.IS_CALLED_AGAIN;
			this.events.add(message, this.now + Math.max(1, this.policy.localDelay().toMillis()) * 1_000_000);
			return;
		}
		this.busy--;
		settle(message, decide(message, what));
	}

	private boolean again(SimulatedMessage message, FailureClassification what) {
		return (message.circuitCall == null || message.circuitCall.mayRepeat())
				&& this.decider.handlesAgainAtOnce(this.policy, message.history(), what)
				&& (this.limiter == null || this.limiter.take());
	}

	private Decision decide(SimulatedMessage message, FailureClassification what) {
		Decision decision = this.decider.decide(this.policy, withoutOutages(message), what, instant());
		if (message.circuitCall != null && this.dependency != null) {
			try (CircuitCall call = message.circuitCall) {
				message.circuitCall = null;
				if (call.failed(what.reason()) && (decision instanceof Decision.Retry
						|| (decision instanceof Decision.Park park && !park.reason().equals(what.reason())))) {
					return new Decision.Postpone(instant().plus(this.dependency.circuit().delay()));
				}
			}
		}
		return decision;
	}

	private void settle(SimulatedMessage message, Decision decision) {
		boolean before = message.failed();
		if (decision instanceof Decision.Retry retry) {
			message.attempt = retry.attempt();
			message.level = retry.level();
			message.cumulativeDelay += retry.delay().toMillis();
			message.firstFailureAt = (message.firstFailureAt != null) ? message.firstFailureAt : instant();
			waits(message, before, retry.delay());
		}
		else if (decision instanceof Decision.Throttle throttle) {
			this.tally.throttled++;
			waits(message, before, Duration.between(instant(), throttle.until()));
		}
		else if (decision instanceof Decision.Postpone postpone) {
			message.postponed = true;
			this.tally.postponed++;
			waits(message, before, Duration.between(instant(), postpone.until()));
		}
		else {
			this.failed -= before ? 1 : 0;
			if (decision instanceof Decision.Park park) {
				this.tally.parked(park.reason());
			}
			else if (decision instanceof Decision.Discard discard) {
				this.tally.discarded(discard.reason());
			}
			else {
				throw new IllegalStateException("No failure without an instruction leads to " + decision);
			}
		}
	}

	private void waits(SimulatedMessage message, boolean before, Duration delay) {
		this.failed += before ? 0 : 1;
		this.tally.waits(1);
		message.step = Step.RETURNS;
		this.events.add(message, this.now + this.policy.topology().waitingTime(delay).toNanos());
	}

	private DeliveryHistory withoutOutages(SimulatedMessage message) {
		DeliveryHistory history = message.history();
		Instant first = message.firstFailureAt;
		if (first == null || this.dependency == null || this.policy.outage() == null
				|| !this.policy.outage().excludeFromAge()) {
			return history;
		}
		return history.firstFailedAt(first.plus(this.dependency.circuit().outagesBetween(first, instant())));
	}

}
