/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.util.List;
import java.util.Set;

import io.github.rabbitretry.internal.actuate.EndpointRequests;
import io.github.rabbitretry.internal.actuate.ErrorResponse;
import io.github.rabbitretry.internal.actuate.RetryExportEndpoint;
import io.github.rabbitretry.internal.configuration.Sections;
import io.github.rabbitretry.internal.depth.ParkedDepths;
import io.github.rabbitretry.internal.export.ExportOptions;
import io.github.rabbitretry.internal.policy.MessagePolicies;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration of the endpoint that exports definitions, policies and permissions,
 * where it is exposed.
 */
@AutoConfiguration(after = RabbitRetryAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnBean(MessagePolicies.class)
public final class RabbitRetryExportAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(name = "rabbitRetryExportRequests")
	static EndpointRequests rabbitRetryExportRequests() {
		return new EndpointRequests(Set.of(EndpointId.of(RetryExportEndpoint.ID)), ErrorResponse::to);
	}

	@Bean
	@ConditionalOnAvailableEndpoint
	@ConditionalOnMissingBean
	RetryExportEndpoint rabbitRetryExportEndpoint(MessagePolicies policies, Environment environment,
			ObjectProvider<ConnectionFactory> connectionFactory, ObjectProvider<ParkedDepths> ledger) {
		ConnectionFactory primary = connectionFactory.getIfUnique();
		return new RetryExportEndpoint(policies,
				new ExportOptions(environment.getProperty("spring.application.name", "application"),
						(primary != null) ? primary.getVirtualHost() : "/",
						ledger.getIfAvailable() != null || configured(environment), List.of(), List.of()));
	}

	/** Who exports without a database has no ledger, but the service has. */
	private static boolean configured(Environment environment) {
		return Sections.present("ledger") && environment.containsProperty("spring.datasource.url")
				&& environment.getProperty("rabbit-retry.ledger.enabled", Boolean.class, true);
	}

}
