/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import io.github.rabbitretry.explain.RetryExplainer;
import io.github.rabbitretry.internal.actuate.RetryExplainEndpoint;
import io.github.rabbitretry.internal.classify.ClassificationChain;
import io.github.rabbitretry.internal.policy.MessagePolicies;

import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.io.ResourceLoader;

/**
 * Auto-configuration of the endpoint that explains decisions, where the actuator is there
 * and exposes it.
 */
@AutoConfiguration(after = RabbitRetryAutoConfiguration.class)
@ConditionalOnClass({ Endpoint.class, ConditionalOnAvailableEndpoint.class })
@ConditionalOnAvailableEndpoint(RetryExplainEndpoint.class)
@ConditionalOnBean(RetryExplainer.class)
public final class RabbitRetryExplainAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	RetryExplainEndpoint rabbitRetryExplainEndpoint(RetryExplainer explainer, MessagePolicies policies,
			ClassificationChain classification, ResourceLoader resources) {
		return new RetryExplainEndpoint(explainer, policies, classification, resources.getClassLoader());
	}

}
