/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.time.Duration;
import java.time.InstantSource;

import io.github.rabbitretry.internal.connection.ConsumerConnections;
import io.github.rabbitretry.internal.depth.BrokerDepths;
import io.github.rabbitretry.internal.depth.UnroutableMonitor;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.thread.Watchdog;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of what is known without a ledger: how many messages wait.
 */
@AutoConfiguration(after = RabbitRetryAutoConfiguration.class)
@ConditionalOnBean(MessagePolicies.class)
@ConditionalOnSingleCandidate(ConnectionFactory.class)
public final class RabbitRetryDepthAutoConfiguration {

	/** How often the broker is asked at most. */
	static final Duration DEPTH_INTERVAL = Duration.ofSeconds(30);

	/** With a connection that publishes nothing, as an alarm may block others. */
	@Bean
	@ConditionalOnMissingBean
	BrokerDepths rabbitRetryBrokerDepths(ConnectionFactory connectionFactory, ConsumerConnections connections,
			MessagePolicies policies) {
		return new BrokerDepths(connections.of(connectionFactory, ConsumerConnections.DEAD_LETTERS), policies,
				InstantSource.system());
	}

	@Bean
	UnroutableMonitor rabbitRetryUnroutableMonitor(BrokerDepths depths, Watchdog watchdog) {
		return new UnroutableMonitor(depths::unroutable, DEPTH_INTERVAL, watchdog);
	}

}
