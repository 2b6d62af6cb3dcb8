/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.autoconfigure;

import java.util.List;

import io.github.rabbitretry.internal.configuration.AdoptedQueue;
import io.github.rabbitretry.internal.configuration.ConfigurationWarning;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * The ledger needs a database, and its queues need consumers.
 */
final class LedgerRequirement {

	private static final String JDBC = "org.springframework.jdbc.core.JdbcTemplate";

	private static final String DATA_SOURCE = "javax.sql.DataSource";

	/** The URL of an H2 database that keeps its data. */
	private static final String H2_FILE = "jdbc:h2:file:./data/rabbit-retry;DB_CLOSE_ON_EXIT=FALSE";

	private LedgerRequirement() {
	}

	static void check(Environment environment, ConfigurableListableBeanFactory beans) {
		// without a connection factory, as in tests without a broker, nothing is parked
		boolean enabled = isEnabled(environment)
				&& beans.getBeanNamesForType(ConnectionFactory.class, true, false).length > 0;
		ClassLoader loader = beans.getBeanClassLoader();
		if (enabled && !ClassUtils.isPresent(JDBC, loader)) {
			throw new InvalidConfigurationException("rabbit-retry.ledger.enabled", "true",
					"needs Spring JDBC, which is not on the class path",
					"Add spring-boot-starter-jdbc and a database's driver, or set it to false.");
		}
		if (enabled && BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans,
				ClassUtils.resolveClassName(DATA_SOURCE, loader), true, false).length == 0) {
			throw noDatabase();
		}
		adoption(environment, enabled);
	}

	static boolean isEnabled(Environment environment) {
		return environment.getProperty("rabbit-retry.ledger.enabled", Boolean.class, true);
	}

	/** Prints what there is to paste. */
	static InvalidConfigurationException noDatabase() {
		return new InvalidConfigurationException("spring.datasource.url", "",
				"is not set, and there is no DataSource: rabbit-retry-parking keeps parked messages in a database", """
						Set the URL of a PostgreSQL database, or add com.h2database:h2 and keep them in a file:

						spring:
						  datasource:
						    url: %s

						Or set rabbit-retry.ledger.enabled to false: parked messages stay in their parking lots then."""
					.formatted(H2_FILE));
	}

	private static void adoption(Environment environment, boolean ledger) {
		List<AdoptedQueue> queues = AdoptedQueue.in(environment);
		boolean ingests = environment.getProperty("rabbit-retry.ledger.ingest", Boolean.class, true);
		if (!queues.isEmpty() && !(ledger && ingests)) {
			ConfigurationWarning.log("rabbit-retry.ledger.adopt", queues,
					ledger ? "has no effect here, since rabbit-retry.ledger.ingest is false"
							: "has no effect, since rabbit-retry.ledger.enabled is false",
					ledger ? "Another instance has to adopt them, or set ingest to true." : "Remove one of the keys.");
		}
	}

}
