/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.time.InstantSource;

import io.github.rabbitretry.internal.connection.ConsumerConnections;
import io.github.rabbitretry.internal.declaration.TopologyMode;
import io.github.rabbitretry.internal.doctor.AmqpExamination;
import io.github.rabbitretry.internal.doctor.ExpectedTopology;
import io.github.rabbitretry.internal.doctor.TopologyDoctor;
import io.github.rabbitretry.internal.management.ManagementLocator;
import io.github.rabbitretry.internal.policy.MessagePolicies;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;

/**
 * Makes topology doctors.
 */
final class TopologyDoctors {

	private TopologyDoctors() {
	}

	/** With a connection of its own, as one that publishes may be blocked by an alarm. */
	static TopologyDoctor of(ConnectionFactory connectionFactory, ConsumerConnections connections,
			MessagePolicies policies, RabbitRetryProperties properties, boolean ledger) {
		return new TopologyDoctor(
				new ExpectedTopology(policies, properties.topology().mode() == TopologyMode.DECLARE,
						properties.deadLetterConsumer().enabled(), ledger, connectionFactory.getUsername()),
				new ManagementLocator(connectionFactory, BrokerPolicyValidator.of(properties).management()),
				new AmqpExamination(connections.of(connectionFactory, "depth")), InstantSource.system());
	}

}
