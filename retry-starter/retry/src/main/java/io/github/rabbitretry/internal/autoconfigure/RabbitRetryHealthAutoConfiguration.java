/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import io.github.rabbitretry.internal.actuate.RabbitRetryHealthIndicator;
import io.github.rabbitretry.internal.health.HealthSource;
import io.github.rabbitretry.internal.policy.MessagePolicies;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/**
 * Reports problems of the retry starter as health.
 */
@AutoConfiguration(after = RabbitRetryAutoConfiguration.class)
@ConditionalOnClass({ HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class })
@ConditionalOnBean(MessagePolicies.class)
@ConditionalOnEnabledHealthIndicator("rabbit-retry")
public final class RabbitRetryHealthAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	RabbitRetryHealthIndicator rabbitRetryHealthIndicator(ObjectProvider<HealthSource> sources) {
		return new RabbitRetryHealthIndicator(sources.orderedStream().toList());
	}

}
