/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.report;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;

class OptionsTests {

	private @Nullable Options run;

	@Test
	void withoutArgumentsAllHaveTheirDefaults() {
		assertThat(options()).hasToString("--rounds 5 --seconds 3");
	}

	@Test
	void aQuickRunIsShortUnlessToldOtherwise() {
		assertThat(options("--seconds", "9", "--quick")).hasToString("--quick --rounds 2 --seconds 9");
	}

	@Test
	void aFlagHasNoNumber() {
		assertThat(options("--peers", "--rounds", "4")).hasToString("--peers --rounds 4 --seconds 3");
		assertThat(options("--peers").has("--peers")).isTrue();
		assertThat(options().has("--peers")).isFalse();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			--round 4  | Unknown options: '--round', '4'
			--rounds   | Missing required parameter for option '--rounds' (<number>)
			--rounds 0 | Invalid value for option '--rounds': '0' is not a number from 1 to 999999999
			--rounds x | Invalid value for option '--rounds': 'x' is not a number from 1 to 999999999
			--peers 2  | Unmatched argument at index 1: '2'
			""")
	void whatItDoesNotKnowIsRefused(String arguments, String message) {
		StringWriter error = new StringWriter();
		assertThat(command().setErr(new PrintWriter(error)).execute(arguments.split(" "))).isEqualTo(2);
		assertThat(this.run).isNull();
		assertThat(error.toString()).contains(message);
	}

	@Test
	void helpPrintsTheDefaultsAndMeasuresNothing() {
		StringWriter output = new StringWriter();
		assertThat(command().setOut(new PrintWriter(output)).execute("--help")).isZero();
		assertThat(this.run).isNull();
		assertThat(output.toString()).contains("--rounds=<number>", "Default: 5");
	}

	private Options options(String... arguments) {
		assertThat(command().execute(arguments)).isEqualTo(7);
		return Objects.requireNonNull(this.run);
	}

	private CommandLine command() {
		return Options.command("measure", new Benchmark() {

			@Override
			public Map<String, Integer> options() {
				return Map.of("--rounds", 5, "--seconds", 3, "--peers", 0);
			}

			@Override
			public Map<String, Integer> quick() {
				return Map.of("--rounds", 2, "--seconds", 1);
			}

			@Override
			public void measure(Options options, Results results) {
			}

		}, (options) -> {
			this.run = options;
			return 7;
		});
	}

}
