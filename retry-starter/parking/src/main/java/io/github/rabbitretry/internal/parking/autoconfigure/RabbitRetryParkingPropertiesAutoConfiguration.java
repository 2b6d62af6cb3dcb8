/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.autoconfigure;

import io.github.rabbitretry.internal.policy.MessagePolicies;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ResourceLoader;

/**
 * Binds what is configured for parked messages, where there are message policies.
 */
@AutoConfiguration(afterName = "io.github.rabbitretry.internal.autoconfigure.RabbitRetryAutoConfiguration")
@ConditionalOnBean(MessagePolicies.class)
@EnableConfigurationProperties({ LedgerProperties.class, ReplayProperties.class })
public final class RabbitRetryParkingPropertiesAutoConfiguration {

	@Bean
	static BeanFactoryPostProcessor rabbitRetryLedgerRequirement(Environment environment) {
		return (beans) -> LedgerRequirement.check(environment, beans);
	}

	@Bean
	@ConditionalOnMissingBean
	LedgerPolicies rabbitRetryLedgerPolicies(Environment environment, ResourceLoader resources) {
		return LedgerPolicies.bind(environment, resources.getClassLoader());
	}

}
