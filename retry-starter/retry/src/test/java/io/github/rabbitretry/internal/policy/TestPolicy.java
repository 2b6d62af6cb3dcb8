/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.policy;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import io.github.rabbitretry.internal.topology.DelayLevel;
import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.internal.topology.QueueType;
import io.github.rabbitretry.internal.topology.WorkQueueMode;
import org.jspecify.annotations.Nullable;

/**
 * Builds policies for tests: 3 attempts after 1, 2 and 4 seconds within an hour.
 */
public final class TestPolicy {

	private final String messageType;

	private String owner = "team-orders";

	private int brokerAttempts = 3;

	private Backoff backoff = Backoff.exponential(Duration.ofSeconds(1), 2, Duration.ofMinutes(30));

	private double jitter;

	private Duration maxRetryAge = Duration.ofHours(1);

	private @Nullable Duration maxCumulativeDelay;

	private @Nullable Long maxDownstreamCalls;

	private @Nullable Long maxCost;

	private @Nullable BusinessHours hours;

	private @Nullable EscalateAfter escalateAfter;

	private @Nullable RetryRatio ratio;

	private int quarantineAfter;

	private @Nullable RejectionTarget rejection;

	private Set<String> parkOn = Set.of();

	private Set<String> discardOn = Set.of();

	private String replayPolicy = "AFTER_REVIEW";

	private ExceptionTexts exceptionTexts = ExceptionTexts.FULL;

	private @Nullable Deduplication deduplication;

	private @Nullable OutageSettings outage;

	private @Nullable Ordering ordering;

	private int localAttempts = 1;

	private Duration localDelay = Duration.ofMillis(1);

	private boolean existingQueue;

	private String queue = "order";

	private QueueType queueType = QueueType.QUORUM;

	private TestPolicy(String messageType) {
		this.messageType = messageType;
	}

	/**
	 * Starts a policy on queue {@code order}.
	 * @return the builder
	 */
	public static TestPolicy order() {
		return new TestPolicy("Order");
	}

	/**
	 * Starts a policy on queue {@code order}.
	 * @param messageType its name
	 * @return the builder
	 */
	public static TestPolicy named(String messageType) {
		return new TestPolicy(messageType);
	}

	private @Nullable HandlerTime handlerTime;

	public TestPolicy owner(String owner) {
		this.owner = owner;
		return this;
	}

	public TestPolicy brokerAttempts(int brokerAttempts) {
		this.brokerAttempts = brokerAttempts;
		return this;
	}

	public TestPolicy localAttempts(int localAttempts) {
		this.localAttempts = localAttempts;
		return this;
	}

	public TestPolicy localDelay(Duration localDelay) {
		this.localDelay = localDelay;
		return this;
	}

	public TestPolicy existingQueue() {
		this.existingQueue = true;
		return this;
	}

	public TestPolicy queue(String queue) {
		this.queue = queue;
		return this;
	}

	public TestPolicy queueType(QueueType queueType) {
		this.queueType = queueType;
		return this;
	}

	public TestPolicy backoff(Backoff backoff) {
		this.backoff = backoff;
		return this;
	}

	public TestPolicy jitter(double jitter) {
		this.jitter = jitter;
		return this;
	}

	public TestPolicy maxRetryAge(Duration maxRetryAge) {
		this.maxRetryAge = maxRetryAge;
		return this;
	}

	public TestPolicy maxCumulativeDelay(@Nullable Duration maxCumulativeDelay) {
		this.maxCumulativeDelay = maxCumulativeDelay;
		return this;
	}

	public TestPolicy parkOn(String... reasons) {
		this.parkOn = Set.of(reasons);
		return this;
	}

	public TestPolicy discardOn(String... reasons) {
		this.discardOn = Set.of(reasons);
		return this;
	}

	public TestPolicy exceptionTexts(ExceptionTexts exceptionTexts) {
		this.exceptionTexts = exceptionTexts;
		return this;
	}

	public TestPolicy replayPolicy(String replayPolicy) {
		this.replayPolicy = replayPolicy;
		return this;
	}

	public TestPolicy maxDownstreamCalls(@Nullable Long maxDownstreamCalls) {
		this.maxDownstreamCalls = maxDownstreamCalls;
		return this;
	}

	public TestPolicy maxCost(@Nullable Long maxCost) {
		this.maxCost = maxCost;
		return this;
	}

	public TestPolicy hours(@Nullable BusinessHours hours) {
		this.hours = hours;
		return this;
	}

	public TestPolicy escalateAfter(@Nullable EscalateAfter escalateAfter) {
		this.escalateAfter = escalateAfter;
		return this;
	}

	public TestPolicy ratio(@Nullable RetryRatio ratio) {
		this.ratio = ratio;
		return this;
	}

	public TestPolicy quarantineAfter(int quarantineAfter) {
		this.quarantineAfter = quarantineAfter;
		return this;
	}

	public TestPolicy rejection(@Nullable RejectionTarget rejection) {
		this.rejection = rejection;
		return this;
	}

	public TestPolicy deduplication(Deduplication deduplication) {
		this.deduplication = deduplication;
		return this;
	}

	public TestPolicy handlerTime(@Nullable HandlerTime handlerTime) {
		this.handlerTime = handlerTime;
		return this;
	}

	public TestPolicy outage(@Nullable OutageSettings outage) {
		this.outage = outage;
		return this;
	}

	public TestPolicy ordering(@Nullable Ordering ordering) {
		this.ordering = ordering;
		return this;
	}

	/**
	 * Builds the policy.
	 * @return the policy
	 */
	public MessagePolicy build() {
		DelayPlan delays = DelayPlan.of(this.backoff, this.brokerAttempts, this.jitter, Duration.ofMinutes(30));
		List<Duration> levels = delays.levels().stream().map(DelayLevel::delay).toList();
		Budget budget = new Budget(this.localAttempts, this.localDelay, this.brokerAttempts, this.maxRetryAge,
				this.maxCumulativeDelay, this.maxDownstreamCalls, this.maxCost, this.handlerTime);
		return new MessagePolicy(this.messageType, this.owner,
				MessageTopology.of(this.queue)
					.queueType(this.queueType)
					.workQueue(this.existingQueue ? WorkQueueMode.EXISTING : WorkQueueMode.DECLARE)
					.delays(levels)
					.jittered(delays.jittered())
					.longestDelay(this.maxRetryAge)
					.quarantine(this.quarantineAfter > 0)
					.build(),
				budget, delays, this.hours, this.parkOn, this.discardOn, this.escalateAfter, this.ratio,
				this.quarantineAfter, this.rejection, this.replayPolicy, this.exceptionTexts, this.deduplication,
				this.outage, this.ordering);
	}

}
