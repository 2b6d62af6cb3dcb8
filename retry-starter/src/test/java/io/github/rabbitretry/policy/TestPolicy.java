/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.policy;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import io.github.rabbitretry.topology.DelayLevel;
import io.github.rabbitretry.topology.MessageTopology;
import org.jspecify.annotations.Nullable;

/**
 * Builds policies for tests: 3 attempts after 1, 2 and 4 seconds within an hour.
 */
public final class TestPolicy {

	private final String messageType;

	private String owner = "team-orders";

	private int brokerAttempts = 3;

	private Backoff backoff = new Backoff.Exponential(Duration.ofSeconds(1), 2, Duration.ofMinutes(30));

	private double jitter;

	private Duration maxRetryAge = Duration.ofHours(1);

	private @Nullable Duration maxCumulativeDelay;

	private Set<String> parkOn = Set.of();

	private Set<String> discardOn = Set.of();

	private String replayPolicy = "AFTER_REVIEW";

	private int localAttempts = 1;

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

	public TestPolicy replayPolicy(String replayPolicy) {
		this.replayPolicy = replayPolicy;
		return this;
	}

	/**
	 * Builds the policy.
	 * @return the policy
	 */
	public MessagePolicy build() {
		DelayPlan delays = DelayPlan.of(this.backoff, this.brokerAttempts, this.jitter, Duration.ofMinutes(30));
		List<Duration> levels = delays.levels().stream().map(DelayLevel::delay).toList();
		return new MessagePolicy(this.messageType, this.owner, MessageTopology.of("order").delays(levels).build(),
				this.localAttempts, Duration.ofMillis(1), this.brokerAttempts, this.maxRetryAge,
				this.maxCumulativeDelay, delays, this.parkOn, this.discardOn, this.replayPolicy);
	}

}
