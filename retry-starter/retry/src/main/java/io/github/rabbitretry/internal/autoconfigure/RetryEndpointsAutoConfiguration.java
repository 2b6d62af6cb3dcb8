/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.util.Set;

import io.github.rabbitretry.explain.RetryExplainer;
import io.github.rabbitretry.internal.actuate.EndpointRequests;
import io.github.rabbitretry.internal.actuate.ErrorResponse;
import io.github.rabbitretry.internal.actuate.RetryExplainEndpoint;
import io.github.rabbitretry.internal.actuate.WaitingRetriesEndpoint;
import io.github.rabbitretry.internal.classify.ClassificationChain;
import io.github.rabbitretry.internal.depth.BrokerDepths;
import io.github.rabbitretry.internal.policy.MessagePolicies;

import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.io.ResourceLoader;

/**
 * Auto-configuration of the endpoints that explain decisions and show what waits, where
 * the actuator is there and exposes them.
 */
@AutoConfiguration(after = RabbitRetryDepthAutoConfiguration.class)
@ConditionalOnClass({ Endpoint.class, ConditionalOnAvailableEndpoint.class })
public final class RetryEndpointsAutoConfiguration {

	@Bean
	@ConditionalOnAvailableEndpoint
	@ConditionalOnBean(RetryExplainer.class)
	@ConditionalOnMissingBean
	RetryExplainEndpoint rabbitRetryExplainEndpoint(RetryExplainer explainer, MessagePolicies policies,
			ClassificationChain classification, ResourceLoader resources) {
		return new RetryExplainEndpoint(explainer, policies, classification, resources.getClassLoader());
	}

	@Bean
	@ConditionalOnAvailableEndpoint(WaitingRetriesEndpoint.class)
	@ConditionalOnBean(BrokerDepths.class)
	@ConditionalOnMissingBean(name = "rabbitRetryWaitingRequests")
	static EndpointRequests rabbitRetryWaitingRequests() {
		return new EndpointRequests(Set.of(EndpointId.of(WaitingRetriesEndpoint.ID)), ErrorResponse::to);
	}

	@Bean
	@ConditionalOnAvailableEndpoint
	@ConditionalOnBean(BrokerDepths.class)
	@ConditionalOnMissingBean
	WaitingRetriesEndpoint rabbitRetryWaitingRetriesEndpoint(BrokerDepths depths) {
		return new WaitingRetriesEndpoint(depths);
	}

}
