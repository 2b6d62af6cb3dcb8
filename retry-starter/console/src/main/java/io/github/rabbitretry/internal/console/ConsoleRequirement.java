/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console;

import io.github.rabbitretry.internal.parking.actuate.ParkingLotEndpoint;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType;
import org.springframework.core.env.Environment;

/**
 * What a console that is enabled needs. Startup fails without it, as it does for a ledger
 * that is enabled and has no database: an operator who counts on the console would
 * otherwise meet a 404 when it is needed. The key is the opt-in, not the artifact, so
 * that leaving it out, or {@code false}, is always possible.
 */
final class ConsoleRequirement implements BeanFactoryPostProcessor {

	private final Environment environment;

	ConsoleRequirement(Environment environment) {
		this.environment = environment;
	}

	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
		if (ManagementPortType.get(this.environment) == ManagementPortType.DISABLED) {
			throw new InvalidConfigurationException("rabbit-retry.console.enabled", true,
					"needs web endpoints, and management.server.port is %s, which turns them off"
						.formatted(this.environment.getProperty("management.server.port")),
					"Set management.server.port to a port, or remove it, or set rabbit-retry.console.enabled to false.");
		}
		require(beans, ParkingLotEndpoint.class, ParkingLotEndpoint.ID);
		require(beans, ConsoleEndpoint.class, ConsoleEndpoint.ID);
	}

	private static void require(ConfigurableListableBeanFactory beans, Class<?> type, String id) {
		if (beans.getBeanNamesForType(type, true, false).length == 0) {
			throw new InvalidConfigurationException("rabbit-retry.console.enabled", true,
					"needs the web endpoint '%s', which is not available".formatted(id),
					("Add %s to management.endpoints.web.exposure.include, and see that neither exposure.exclude nor"
							+ " management.endpoint.%s.access takes it away and that there is a message policy;"
							+ " or set rabbit-retry.console.enabled to false.")
						.formatted(id, id));
		}
	}

}
