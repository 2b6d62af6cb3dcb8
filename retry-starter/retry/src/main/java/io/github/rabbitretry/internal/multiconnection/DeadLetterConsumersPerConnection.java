/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.multiconnection;

import java.util.List;
import java.util.function.BiFunction;

import io.github.rabbitretry.internal.connection.LifecyclePhases;
import io.github.rabbitretry.internal.deadletter.DeadLetterConsumer;
import io.github.rabbitretry.internal.health.HealthProblem;
import io.github.rabbitretry.internal.health.HealthSource;
import io.github.rabbitretry.internal.policy.MessagePolicies;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Consumes each policy's dead letters where its listener consumes.
 */
public final class DeadLetterConsumersPerConnection implements HealthSource, SmartLifecycle {

	private final PolicyConnections connections;

	private final BiFunction<ConnectionFactory, MessagePolicies, DeadLetterConsumer> factory;

	private volatile List<DeadLetterConsumer> consumers = List.of();

	private volatile boolean running;

	/**
	 * Creates the consumers.
	 * @param connections which connection factory leads where
	 * @param factory makes a consumer of the dead letters of a connection factory's
	 * policies
	 */
	public DeadLetterConsumersPerConnection(PolicyConnections connections,
			BiFunction<ConnectionFactory, MessagePolicies, DeadLetterConsumer> factory) {
		this.connections = connections;
		this.factory = factory;
	}

	@Override
	public void start() {
		if (this.consumers.isEmpty()) {
			this.consumers = this.connections.groups()
				.entrySet()
				.stream()
				.map((group) -> this.factory.apply(group.getKey(), group.getValue()))
				.toList();
		}
		this.consumers.forEach(DeadLetterConsumer::start);
		this.running = true;
	}

	@Override
	public void stop() {
		this.running = false;
		this.consumers.forEach(DeadLetterConsumer::stop);
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return LifecyclePhases.DEAD_LETTERS;
	}

	@Override
	public List<HealthProblem> problems() {
		return this.consumers.stream().flatMap((deadLetterConsumer) -> deadLetterConsumer.problems().stream()).toList();
	}

}
