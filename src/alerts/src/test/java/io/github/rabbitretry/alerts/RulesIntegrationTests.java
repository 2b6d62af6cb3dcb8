/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.alerts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

import io.github.rabbitretry.monitoring.PrometheusPrograms;
import io.github.rabbitretry.provision.Command;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("smoke")
class RulesIntegrationTests {

	private static final Path TESTS = Path.of("src/test/resources/rules-test.yml").toAbsolutePath();

	private final PrometheusPrograms programs = PrometheusPrograms.find();

	@Test
	void areUnderstoodByPrometheus() {
		assertSucceeded(this.programs.promtool("check", "rules", RuleFile.PATH.toString()));
	}

	@Test
	void fireWhenTheyShouldAndNotElse() {
		assertSucceeded(this.programs.promtool("test", "rules", TESTS.toString()));
	}

	@Test
	void areEachTestedToFireAndNotTo() throws IOException {
		String tests = Files.readString(TESTS);
		assertThat(RuleFile.alerts()).isNotEmpty()
			.doesNotHaveDuplicates()
			.allSatisfy((alert) -> assertThat(tests).contains("name: '" + alert + " fires'",
					"name: '" + alert + " does not fire: "));
	}

	@Test
	void leadToTheirSectionOfTheRunbook() throws IOException {
		String runbook = Files.readString(Path.of("../docs/runbook.md"));
		assertThat(RuleFile.runbookUrls()).containsExactlyElementsOf(RuleFile.alerts()
			.stream()
			.map((alert) -> "src/docs/runbook.md#" + alert.toLowerCase(Locale.ROOT))
			.toList());
		assertThat(runbook.lines().filter((line) -> line.startsWith("### RabbitRetry")))
			.containsExactlyInAnyOrderElementsOf(RuleFile.alerts().stream().map((alert) -> "### " + alert).toList());
	}

	private static void assertSucceeded(Command.Result result) {
		assertThat(result.status()).as(result.output()).isZero();
	}

}
