/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.drill;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DrillTests {

	private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

	@Test
	void helpIsGivenWithoutABroker() {
		assertThat(drill("--help")).isZero();
		assertThat(this.bytes.toString(StandardCharsets.UTF_8)).startsWith("usage: sample-order-worker/demo drill");
	}

	@Test
	void theOutageHasAHelpAndRefusesWrongOptionsToo() {
		PrintStream out = new PrintStream(this.bytes, true, StandardCharsets.UTF_8);
		assertThat(OutageDemo.run(List.of("-h"), out, false)).isZero();
		assertThat(OutageDemo.run(List.of("--fast"), out, false)).isEqualTo(2);
		assertThat(this.bytes.toString(StandardCharsets.UTF_8)).startsWith("usage: sample-order-worker/demo outage")
			.contains("unknown option '--fast'");
	}

	@Test
	void anOutageThatIsTooShortIsRefused() {
		PrintStream out = new PrintStream(this.bytes, true, StandardCharsets.UTF_8);
		assertThat(OutageDemo.run(List.of("--seconds", "9"), out, false)).isEqualTo(2);
		assertThat(this.bytes.toString(StandardCharsets.UTF_8))
			.startsWith("--seconds is '9', but must be a number from 45 to 9999");
	}

	@Test
	void aWrongOptionIsAnsweredWithTheUsage() {
		assertThat(drill("--fast")).isEqualTo(2);
		assertThat(this.bytes.toString(StandardCharsets.UTF_8)).startsWith("unknown option '--fast'")
			.contains("usage:");
	}

	@Test
	void whatIsNotAsExpectedIsTold() {
		List<String> lines = new ArrayList<>();
		Findings findings = new Findings(lines::add);
		findings.equal("one event", 1, 1);
		assertThat(findings.wrong()).isEmpty();
		findings.equal("captured once", 1, 2);
		assertThat(findings.wrong()).containsExactly("expected captured once, seen 2");
		assertThat(lines).last().asString().contains("NOT OK", "captured once", "2");
	}

	private int drill(String... arguments) {
		return Drill.run(List.of(arguments), new PrintStream(this.bytes, true, StandardCharsets.UTF_8), false);
	}

}
