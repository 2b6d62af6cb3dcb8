/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.classify.FailureClassification;
import io.github.rabbitretry.classify.Reasons;
import io.github.rabbitretry.decision.Decision;
import io.github.rabbitretry.internal.policy.HandlerTime;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.simulation.SimulatedMessage.Call;
import io.github.rabbitretry.internal.simulation.SimulatedMessage.Step;
import io.github.rabbitretry.simulation.SimulatedLoad;

/**
 * One run on a virtual clock, in nanoseconds since the first message.
 */
final class SimulationRun implements Decision.Visitor<SimulatedMessage> {

	private static final FailureClassification TIMED_OUT = FailureClassification.of(FailureClass.TRANSIENT,
			Reasons.HANDLER_TIMEOUT);

	private final MessagePolicy policy;

	private final SimulatedLoad load;

	private final PolicySimulator bounds;

	private final FailureClassification failure;

	private final RandomGenerator luck;

	private final SimulatedConsumer consumer;

	private final PriorityQueue<SimulatedMessage> events = new PriorityQueue<>();

	private final ArrayDeque<SimulatedMessage> workQueue = new ArrayDeque<>();

	private final Tally tally = new Tally();

	private long now;

	private int busy;

	/** Messages that have failed and are not done with. */
	private int failed;

	private long happened;

	private long scheduled;

	SimulationRun(MessagePolicy policy, SimulatedLoad load, PolicySimulator bounds) {
		this.policy = policy;
		this.load = load;
		this.bounds = bounds;
		this.failure = FailureClassification.of(load.failureClass(), load.reason());
		this.luck = new SplittableRandom(~load.seed());
		this.consumer = new SimulatedConsumer(policy, load.seed(), this::instant, () -> this.now);
	}

	private Instant instant() {
		return this.load.start().plusNanos(this.now);
	}

	/** How far it got. */
	Duration end() {
		return Duration.ofNanos(this.now);
	}

	Tally run() {
		long arrival = 0;
		while (true) {
			long probe = probeAt();
			SimulatedMessage next = this.events.peek();
			long due = Math.min((next != null) ? next.due : Long.MAX_VALUE, probe);
			if (arrival <= due && arrives(arrival)) {
				passTo(Math.max(arrival, this.now));
				this.tally.messages++;
				arrival = (long) (this.tally.messages * (1e9 / this.load.rate()));
				this.workQueue.add(new SimulatedMessage());
			}
			else if (due == Long.MAX_VALUE) {
				this.tally.closeMinute();
				return this.tally;
			}
			else {
				passTo(due);
				if (due == probe) {
					this.consumer.probe();
				}
				else {
					takeStep(this.events.remove());
				}
			}
			consume();
		}
	}

	private boolean arrives(long at) {
		Duration lasts = this.load.duration();
		if (lasts != null) {
			return at < lasts.toNanos();
		}
		Integer consumers = this.load.concurrency();
		boolean backlog = consumers != null && this.workQueue.size() > consumers;
		return at < this.load.outageEnd().toNanos() || this.failed > 0 || backlog;
	}

	private long probeAt() {
		Instant probe = this.consumer.probeAt();
		return (probe != null) ? Duration.between(this.load.start(), probe).toNanos() : Long.MAX_VALUE;
	}

	private void passTo(long nanos) {
		this.now = nanos;
		this.tally.at(nanos);
		this.bounds.check(++this.happened, this.workQueue.size() + this.tally.waiting + this.busy,
				this.tally.minutes.size());
	}

	private void takeStep(SimulatedMessage message) {
		switch (message.step) {
			case RETURNS -> {
				this.tally.waits(-1);
				this.workQueue.add(message);
			}
			case IS_CALLED_AGAIN -> call(message);
			default -> ended(message);
		}
	}

	private void schedule(SimulatedMessage message, Step step, long nanos) {
		message.step = step;
		message.due = this.now + nanos;
		message.sequence = this.scheduled++;
		this.events.add(message);
	}

	private void consume() {
		while (!this.workQueue.isEmpty() && this.consumer.consumes(this.busy, this.load.concurrency())) {
			begin(this.workQueue.remove());
		}
		this.tally.ready(this.workQueue.size());
	}

	private void begin(SimulatedMessage message) {
		Optional<Decision> refusal = this.consumer.admit(message, this.failure);
		if (refusal.isPresent()) {
			refusal.get().accept(this, message);
			return;
		}
		if (message.attempt > 0) {
			this.tally.retried();
		}
		this.consumer.begin(message);
		this.busy++;
		call(message);
	}

	private void call(SimulatedMessage message) {
		boolean fails = this.now >= this.load.outageAt().toNanos() && this.now < this.load.outageEnd().toNanos()
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
			schedule(message, Step.CALL_ENDS, takes.toNanos());
		}
	}

	private void ended(SimulatedMessage message) {
		if (message.call == Call.SUCCEEDS) {
			this.busy--;
			this.failed -= message.failed() ? 1 : 0;
			this.tally.succeeded++;
			this.consumer.succeeded(message);
			return;
		}
		FailureClassification what = (message.call == Call.TIMES_OUT) ? TIMED_OUT : this.failure;
		if (this.consumer.repeats(message, what)) {
			schedule(message, Step.IS_CALLED_AGAIN, Math.max(1, this.policy.localDelay().toMillis()) * 1_000_000);
			return;
		}
		this.busy--;
		this.consumer.decide(message, what).accept(this, message);
	}

	@Override
	public void retry(SimulatedMessage message, Decision.Retry retry) {
		boolean before = message.failed();
		message.attempt = retry.attempt();
		message.level = retry.level();
		message.cumulativeDelay += retry.delay().toMillis();
		message.firstFailureAt = (message.firstFailureAt != null) ? message.firstFailureAt : instant();
		waits(message, before, retry.delay());
	}

	@Override
	public void postpone(SimulatedMessage message, Decision.Postpone postpone) {
		boolean before = message.failed();
		message.postponed = true;
		this.tally.postponed++;
		waits(message, before, Duration.between(instant(), postpone.until()));
	}

	@Override
	public void throttle(SimulatedMessage message, Decision.Throttle throttle) {
		this.tally.throttled++;
		waits(message, message.failed(), Duration.between(instant(), throttle.until()));
	}

	@Override
	public void park(SimulatedMessage message, Decision.Park park) {
		this.failed -= message.failed() ? 1 : 0;
		this.tally.parked(park.reason());
	}

	@Override
	public void discard(SimulatedMessage message, Decision.Discard discard) {
		this.failed -= message.failed() ? 1 : 0;
		this.tally.discarded(discard.reason());
	}

	@Override
	public void quarantine(SimulatedMessage message, Decision.Quarantine quarantine) {
		throw unexpected(quarantine);
	}

	@Override
	public void reject(SimulatedMessage message, Decision.Reject reject) {
		throw unexpected(reject);
	}

	@Override
	public void returnToQueue(SimulatedMessage message, Decision.Return decision) {
		throw unexpected(decision);
	}

	private static IllegalStateException unexpected(Decision decision) {
		return new IllegalStateException("No failure without an instruction leads to " + decision);
	}

	private void waits(SimulatedMessage message, boolean before, Duration delay) {
		this.failed += before ? 0 : 1;
		this.tally.waits(1);
		schedule(message, Step.RETURNS, this.policy.topology().waitingTime(delay).toNanos());
	}

}
