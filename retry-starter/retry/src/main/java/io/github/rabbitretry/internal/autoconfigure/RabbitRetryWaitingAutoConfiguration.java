/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.util.Set;

import io.github.rabbitretry.internal.actuate.EndpointRequests;
import io.github.rabbitretry.internal.actuate.ErrorResponse;
import io.github.rabbitretry.internal.actuate.WaitingRetriesEndpoint;
import io.github.rabbitretry.internal.depth.BrokerDepths;

import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of the endpoint that shows what waits, where it is exposed.
 */
@AutoConfiguration(after = RabbitRetryDepthAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnBean(BrokerDepths.class)
public final class RabbitRetryWaitingAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(name = "rabbitRetryWaitingRequests")
	static EndpointRequests rabbitRetryWaitingRequests() {
		return new EndpointRequests(Set.of(EndpointId.of(WaitingRetriesEndpoint.ID)), ErrorResponse::to);
	}

	@Bean
	@ConditionalOnAvailableEndpoint
	@ConditionalOnMissingBean
	WaitingRetriesEndpoint rabbitRetryWaitingRetriesEndpoint(BrokerDepths depths) {
		return new WaitingRetriesEndpoint(depths);
	}

}
