/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.util.List;

import io.github.rabbitretry.internal.configuration.ConfigurationWarning;
import io.github.rabbitretry.internal.configuration.ConfiguredValue;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Finds mistakes in the configuration that its binding does not see: by then, units,
 * letters and whole keys are lost. Runs before anything is bound.
 */
final class ConfigurationCheck implements BeanFactoryPostProcessor {

	private static final String AOT_PROCESSING = "spring.aot.processing";

	private final ConfigurableEnvironment environment;

	ConfigurationCheck(ConfigurableEnvironment environment) {
		this.environment = environment;
	}

	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
		if (Boolean.getBoolean(AOT_PROCESSING)) {
			// the application is built, and what it will run with is not known
			return;
		}
		new ConfiguredNames(this.environment).check();
		List<ConfiguredValue> values = ConfiguredValue.all(this.environment);
		boolean policies = values.stream().anyMatch((value) -> value.ofPolicy() && !value.hasNoPolicies());
		// an empty key in one place takes nothing away from another
		values.stream().filter((value) -> !(policies && value.hasNoPolicies())).forEach(ConfiguredValueCheck::check);
		if (values.stream().noneMatch(ConfiguredValue::ofPolicy)) {
			ConfigurationWarning.log("rabbit-retry.message-policies", "",
					"is not set, though other keys are: no message is retried",
					"Add a message policy, or remove the other keys of rabbit-retry.");
		}
		ParkingKeys.check(values);
	}

}
