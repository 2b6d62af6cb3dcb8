/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.autoconfigure;

import java.util.List;

import io.github.rabbitretry.internal.configuration.ConfigurationWarning;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * What a ledger that is configured needs. Without it there would be no ledger, which is
 * noticed when it is needed.
 */
final class LedgerRequirement {

	private static final String JDBC = "org.springframework.jdbc.core.JdbcTemplate";

	private static final String DATA_SOURCE = "javax.sql.DataSource";

	private LedgerRequirement() {
	}

	static void check(Environment environment, ConfigurableListableBeanFactory beans) {
		ClassLoader loader = beans.getBeanClassLoader();
		boolean jdbc = ClassUtils.isPresent(JDBC, loader);
		boolean database = jdbc && BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans,
				ClassUtils.resolveClassName(DATA_SOURCE, loader), true, false).length > 0;
		Boolean enabled = environment.getProperty("rabbit-retry.ledger.enabled", Boolean.class);
		if (Boolean.TRUE.equals(enabled) && !database) {
			throw new InvalidConfigurationException("rabbit-retry.ledger.enabled", "true",
					jdbc ? "needs a DataSource bean, and there is none"
							: "needs Spring JDBC, which is not on the class path",
					(jdbc ? "Set spring.datasource.url or define a DataSource"
							: "Add spring-boot-starter-jdbc and a database's driver")
							+ ", or set rabbit-retry.ledger.enabled to false.");
		}
		adoption(environment, database && !Boolean.FALSE.equals(enabled));
		String name = environment.getProperty("rabbit-retry.ledger.data-source");
		if (name != null && enabled == null && !database) {
			ConfigurationWarning.log("rabbit-retry.ledger.data-source", name,
					"names a DataSource bean, and there is none: there is no ledger",
					"Define the DataSource, or remove the key.");
		}
	}

	private static void adoption(Environment environment, boolean ledger) {
		List<String> queues = Binder.get(environment)
			.bind("rabbit-retry.ledger.adopt", Bindable.listOf(String.class))
			.orElse(List.of());
		boolean ingests = environment.getProperty("rabbit-retry.ledger.ingest", Boolean.class, true);
		if (!queues.isEmpty() && !(ledger && ingests)) {
			ConfigurationWarning.log("rabbit-retry.ledger.adopt", queues,
					ledger ? "has no effect here, since rabbit-retry.ledger.ingest is false"
							: "has no effect, since there is no ledger",
					ledger ? "Another instance has to adopt them, or set ingest to true."
							: "Define a DataSource and leave rabbit-retry.ledger.enabled out, or remove the key.");
		}
	}

}
