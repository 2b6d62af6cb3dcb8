/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.autoconfigure;

import java.time.InstantSource;

import io.github.rabbitretry.internal.autoconfigure.RabbitRetryAutoConfiguration;
import io.github.rabbitretry.internal.connection.ConsumerConnections;
import io.github.rabbitretry.internal.handover.ConfirmedPublishers;
import io.github.rabbitretry.internal.parking.mapping.ParkedMessageMapper;
import io.github.rabbitretry.internal.parking.scan.ParkingLotWindow;
import io.github.rabbitretry.internal.parking.scan.ScanSettings;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of what can be seen of parked messages without a ledger.
 */
@AutoConfiguration(after = RabbitRetryAutoConfiguration.class)
@ConditionalOnBean(MessagePolicies.class)
@ConditionalOnSingleCandidate(ConnectionFactory.class)
public final class RabbitRetryScanAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	ParkingLotWindow rabbitRetryParkingLotWindow(MessagePolicies policies, ScanProperties properties,
			LedgerProperties ledger, LedgerPolicies ledgerPolicies, ConnectionFactory connectionFactory,
			ConsumerConnections connections, ConfirmedPublishers publishers) {
		int window = properties.window();
		if (window < 1 || window > ScanSettings.MOST_MESSAGES) {
			throw new InvalidConfigurationException("rabbit-retry.scan.window", window,
					"must be from 1 to %s, as many as RabbitMQ lets one consumer of a quorum queue hold"
						.formatted(ScanSettings.MOST_MESSAGES),
					"Use 1000, the default.");
		}
		return new ParkingLotWindow(policies, ledgerPolicies.of(policies),
				new ParkedMessageMapper(ledger.envelopeHeaders(), InstantSource.system()),
				connections.of(connectionFactory, "scan"), publishers,
				new ScanSettings(window, ScanSettings.DEFAULT_BYTES, ScanSettings.DEFAULT_PATIENCE));
	}

}
