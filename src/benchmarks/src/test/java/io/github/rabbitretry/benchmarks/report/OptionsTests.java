/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.report;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class OptionsTests {

	@Test
	void withoutArgumentsAllHaveTheirDefaults() {
		assertThat(options()).hasToString("--peers 0 --rounds 5 --seconds 3");
	}

	@Test
	void aQuickRunIsShortUnlessToldOtherwise() {
		assertThat(options("--seconds", "9", "--quick")).hasToString("--peers 0 --rounds 2 --seconds 9");
	}

	@Test
	void anOptionWithoutANumberIsOn() {
		assertThat(options("--peers", "--rounds", "4")).hasToString("--peers 1 --rounds 4 --seconds 3");
		assertThat(options("--peers").has("--peers")).isTrue();
		assertThat(options().has("--peers")).isFalse();
	}

	@Test
	void anUnknownOptionIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> options("--round", "4"))
			.withMessage("there is no option --round, only [--peers, --rounds, --seconds] and --quick");
	}

	private static Options options(String... arguments) {
		return Options.of(List.of(arguments), new Benchmark() {

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

		});
	}

}
