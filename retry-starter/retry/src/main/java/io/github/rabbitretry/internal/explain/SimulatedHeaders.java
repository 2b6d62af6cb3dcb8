/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.explain;

import java.time.Duration;
import java.time.Instant;

import io.github.rabbitretry.explain.FailedMessage;
import io.github.rabbitretry.internal.message.AppHeaders;
import io.github.rabbitretry.internal.policy.MessagePolicy;

import org.springframework.amqp.core.MessageProperties;

/**
 * Writes the headers that a message would have come back with.
 */
final class SimulatedHeaders {

	private final MessagePolicy policy;

	private final Instant now;

	SimulatedHeaders(MessagePolicy policy, Instant now) {
		this.policy = policy;
		this.now = now;
	}

	MessageProperties properties(FailedMessage message) {
		MessageProperties properties = new MessageProperties();
		properties.getHeaders().putAll(message.headers());
		properties.setConsumerQueue(this.policy.queue());
		Integer attempt = message.attempt();
		if (attempt != null) {
			properties.setHeader(AppHeaders.RETRY_ATTEMPT, attempt);
		}
		if (attempt != null && attempt > 0) {
			Duration waited = waited(attempt);
			properties.getHeaders().putIfAbsent(AppHeaders.RETRY_LEVEL, attempt);
			properties.getHeaders().putIfAbsent(AppHeaders.CUMULATIVE_DELAY, waited.toMillis());
			properties.getHeaders().putIfAbsent(AppHeaders.FIRST_FAILURE_AT, this.now.minus(waited).toString());
		}
		if (message.age() != null) {
			properties.setHeader(AppHeaders.FIRST_FAILURE_AT, this.now.minus(message.age()).toString());
		}
		return properties;
	}

	/** The sum of the shortest delays before the attempts made. */
	private Duration waited(int attempts) {
		Duration sum = Duration.ZERO;
		for (int attempt = 1; attempt <= Math.min(attempts, this.policy.brokerAttempts()); attempt++) {
			sum = sum.plus(this.policy.delays().level(attempt).delay());
		}
		return sum;
	}

}
