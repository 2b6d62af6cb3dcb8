/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.diagnostics.FailureAnalysis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Keys of the artifacts for parking and the console where these are not there.
 */
class OptionalKeysTests {

	@ParameterizedTest
	@ValueSource(strings = { "rabbit-retry.ledger.enabled=true", "rabbit-retry.ledger.adopt[0]=orders.dlq",
			"rabbit-retry.replay.edit-enabled=true", "rabbit-retry.defaults.ledger.retention=90d",
			"rabbit-retry.message-policies.Order.ledger.store-payload=false" })
	void failStartupAndNameTheDependency(String property) {
		StartReport.application()
			.withPropertyValues("rabbit-retry.message-policies.Order.queue=orders", property)
			.run((context) -> {
				assertThat(context).hasFailed();
				FailureAnalysis analysis = StartReport.explain(context.getStartupFailure());
				assertThat(analysis.getDescription()).contains(property.substring(0, property.indexOf('=')),
						"needs rabbit-retry-parking, which is not on the class path");
				assertThat(analysis.getAction())
					.contains("io.github.rabbitretry:rabbit-retry-parking-spring-boot-starter");
			});
	}

	@Test
	void ofTheConsoleDoToo() {
		StartReport.application()
			.withPropertyValues("rabbit-retry.message-policies.Order.queue=orders", "rabbit-retry.console.enabled=true")
			.run((context) -> {
				assertThat(context).hasFailed();
				FailureAnalysis analysis = StartReport.explain(context.getStartupFailure());
				assertThat(analysis.getDescription()).contains("rabbit-retry.console.enabled",
						"needs rabbit-retry-console, which is not on the class path");
				assertThat(analysis.getAction()).contains("io.github.rabbitretry:rabbit-retry-console");
			});
	}

	@Test
	void ofTheOperationsApplicationDoTooAndNoPasswordIsShown() {
		StartReport.application()
			.withPropertyValues("rabbit-retry.message-policies.Order.queue=orders",
					"rabbit-retry.console.users.olivia.password={noop}secret")
			.run((context) -> {
				assertThat(context).hasFailed();
				FailureAnalysis analysis = StartReport.explain(context.getStartupFailure());
				assertThat(analysis.getDescription())
					.contains("rabbit-retry.console.users.olivia.password", "needs rabbit-retry-console-application")
					.doesNotContain("secret");
				assertThat(analysis.getAction()).contains("operations application");
			});
	}

}
