/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.autoconfigure;

import javax.sql.DataSource;

import io.github.rabbitretry.internal.autoconfigure.StartReport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Typing errors in the keys that this artifact reads.
 */
class UnknownParkingKeysTests {

	@ParameterizedTest
	@CsvSource({ "rabbit-retry.ledger.batch-sise, batch-size", "rabbit-retry.replay.edit-enable, edit-enabled",
			"rabbit-retry.replay.roles.discrad, discard", "rabbit-retry.defaults.ledger.retension, retention",
			"rabbit-retry.message-policies.Order.ledger.store-paylod, store-payload" })
	void failStartupAndNameWhatWasMeant(String property, String meant) {
		StartReport.application()
			.withConfiguration(AutoConfigurations.of(RabbitRetryParkingPropertiesAutoConfiguration.class))
			.withBean(DataSource.class, SimpleDriverDataSource::new)
			.withPropertyValues("rabbit-retry.message-policies.Order.queue=orders", property + "=1")
			.run((context) -> {
				assertThat(context).hasFailed();
				FailureAnalysis analysis = StartReport.explain(context.getStartupFailure());
				assertThat(analysis.getDescription()).contains(property, "is not a key of Rabbit Retry");
				assertThat(analysis.getAction()).contains("Did you mean '" + meant + "'?");
			});
	}

}
