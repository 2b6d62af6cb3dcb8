/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.autoconfigure;

import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/**
 * Says what the ledger needs where Spring Boot can't create its DataSource: it does not
 * know that there is one for the sake of the ledger.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class NoDatabaseFailureAnalyzer extends AbstractFailureAnalyzer<BeanCreationException> {

	/** Spring Boot's, which is not public. */
	private static final String NO_URL = "org.springframework.boot.jdbc.autoconfigure.DataSourceProperties$DataSourceBeanCreationException";

	private final Environment environment;

	NoDatabaseFailureAnalyzer(Environment environment) {
		this.environment = environment;
	}

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, BeanCreationException cause) {
		for (Throwable failure = cause; failure != null; failure = failure.getCause()) {
			if (failure.getClass().getName().equals(NO_URL) && isWanted()) {
				InvalidConfigurationException missing = LedgerRequirement.noDatabase();
				return new FailureAnalysis(
						"The configuration of Rabbit Retry is invalid:%n%n    Property: %s%n    Value: \"\"%n    Reason: %s"
							.formatted(missing.property(), missing.relation()),
						missing.remedy(), failure);
			}
		}
		return null;
	}

	private boolean isWanted() {
		return LedgerRequirement.isEnabled(this.environment)
				&& this.environment.getProperty("spring.datasource.url", "").isBlank();
	}

}
