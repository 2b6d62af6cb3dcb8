/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console;

import java.util.function.Supplier;

import io.github.rabbitretry.internal.configuration.ConfigurationWarning;
import io.github.rabbitretry.internal.parking.actuate.OperatorRoles;
import io.github.rabbitretry.internal.parking.actuate.ParkingLotEndpoint;
import io.github.rabbitretry.internal.parking.registry.RegisteredPolicies;
import io.github.rabbitretry.internal.parking.autoconfigure.RabbitRetryEndpointAutoConfiguration;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnNotWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.util.function.SingletonSupplier;

/**
 * Auto-configuration of the console, where it is enabled.
 */
@AutoConfiguration(after = RabbitRetryEndpointAutoConfiguration.class)
@EnableConfigurationProperties(ConsoleProperties.class)
public final class RabbitRetryConsoleAutoConfiguration {

	private static final String ENABLED = "rabbit-retry.console.enabled";

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty(ENABLED)
	@ConditionalOnWebApplication
	static final class Console {

		@Bean
		static ConsoleRequirement rabbitRetryConsoleRequirement(Environment environment) {
			return new ConsoleRequirement(environment);
		}

		@Bean
		@ConditionalOnBean(ParkingLotEndpoint.class)
		@ConditionalOnAvailableEndpoint
		ConsoleEndpoint rabbitRetryConsoleEndpoint(ObjectProvider<PathMappedEndpoints> endpoints,
				ConsoleProperties properties, Environment environment, OperatorRoles roles,
				ObjectProvider<RegisteredPolicies> services) {
			return new ConsoleEndpoint(paths(endpoints),
					environment.getProperty("spring.application.name", "application"), properties, roles,
					services.getIfAvailable());
		}

		@Bean
		@ConditionalOnBean(ConsoleEndpoint.class)
		ConsoleGuard rabbitRetryConsoleGuard(ObjectProvider<PathMappedEndpoints> endpoints) {
			return new ConsoleGuard(paths(endpoints));
		}

		@Bean
		@ConditionalOnBean(ConsoleGuard.class)
		@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
		ConsoleWebFilter rabbitRetryConsoleWebFilter(ConsoleGuard guard) {
			return new ConsoleWebFilter(guard);
		}

		private static Supplier<ConsolePaths> paths(ObjectProvider<PathMappedEndpoints> endpoints) {
			return SingletonSupplier.of(() -> new ConsolePaths(endpoints.getObject()));
		}

	}

	/** As in a test without a web server, where no page can be opened. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty(ENABLED)
	@ConditionalOnNotWebApplication
	static final class NoConsole {

		NoConsole() {
			ConfigurationWarning.log(ENABLED, true, "has no effect, since this is no web application",
					"Add spring-boot-starter-webmvc or spring-boot-starter-webflux, or remove the key.");
		}

	}

}
