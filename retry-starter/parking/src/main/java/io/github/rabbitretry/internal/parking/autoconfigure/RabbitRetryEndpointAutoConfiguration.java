/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.autoconfigure;

import java.util.Set;

import io.github.rabbitretry.internal.actuate.EndpointRequests;
import io.github.rabbitretry.internal.message.ConsumerIdentity;
import io.github.rabbitretry.internal.parking.actuate.OperatorRoles;
import io.github.rabbitretry.internal.parking.actuate.ParkingErrors;
import io.github.rabbitretry.internal.parking.actuate.ParkingLotEndpoint;
import io.github.rabbitretry.internal.parking.actuate.PayloadAccess;
import io.github.rabbitretry.internal.parking.actuate.ReplaysEndpoint;
import io.github.rabbitretry.internal.parking.ledger.LedgerSchema;
import io.github.rabbitretry.internal.parking.replay.BodyReads;
import io.github.rabbitretry.parking.message.Ledger;
import io.github.rabbitretry.parking.replay.AuditLog;
import io.github.rabbitretry.parking.replay.ParkedMessageService;
import io.github.rabbitretry.parking.replay.ReplayService;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of the actuator endpoints, where they are exposed.
 */
@AutoConfiguration(after = RabbitRetryReplayAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnBean(Ledger.class)
@EnableConfigurationProperties(ParkingLotEndpointProperties.class)
public final class RabbitRetryEndpointAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(name = "rabbitRetryParkingRequests")
	static EndpointRequests rabbitRetryParkingRequests() {
		return new EndpointRequests(Set.of(EndpointId.of(ParkingLotEndpoint.ID), EndpointId.of(ReplaysEndpoint.ID)),
				ParkingErrors::to);
	}

	@Bean
	@ConditionalOnMissingBean
	OperatorRoles rabbitRetryOperatorRoles(ReplayProperties properties) {
		return properties.roles().checked();
	}

	@Bean
	@ConditionalOnAvailableEndpoint
	@ConditionalOnMissingBean
	ParkingLotEndpoint rabbitRetryParkingLotEndpoint(Ledger ledger, ObjectProvider<LedgerSchema> schema,
			ConsumerIdentity identity, ObjectProvider<ParkedMessageService> service,
			ParkingLotEndpointProperties properties, OperatorRoles roles) {
		LedgerSchema tables = schema.getIfAvailable();
		return new ParkingLotEndpoint(ledger, service.getIfAvailable(),
				new PayloadAccess(properties.showPayload(), properties.roles()),
				(tables != null) ? new BodyReads(tables, identity.consumer()) : null, roles);
	}

	@Bean
	@ConditionalOnAvailableEndpoint
	@ConditionalOnMissingBean
	ReplaysEndpoint rabbitRetryReplaysEndpoint(ObjectProvider<ReplayService> replays,
			ObjectProvider<ParkedMessageService> messages, ObjectProvider<AuditLog> audit, Ledger ledger,
			ParkingLotEndpointProperties properties, OperatorRoles roles) {
		return new ReplaysEndpoint(
				jobs(replays.getIfAvailable(), messages.getIfAvailable(), audit.getIfAvailable(), ledger),
				new PayloadAccess(properties.showPayload(), properties.roles()), roles);
	}

	private static ReplaysEndpoint.@Nullable Services jobs(@Nullable ReplayService replays,
			@Nullable ParkedMessageService messages, @Nullable AuditLog audit, Ledger ledger) {
		return (replays != null && messages != null && audit != null)
				? new ReplaysEndpoint.Services(replays, messages, audit, ledger) : null;
	}

}
