/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.management;

import java.time.Duration;
import java.util.regex.PatternSyntaxException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

/**
 * What {@code re:run} of Erlang says of the same expressions.
 */
class NameRegexTests {

	@ParameterizedTest
	@CsvSource(delimiter = ';', textBlock = """
			^orders ; orders.dlq ; true
			orders$ ; my.orders ; true
			^orders$ ; orders.dlq ; false
			^[\\]a]+$ ; ]a ; true
			^.{2}$ ; é ; true
			^é+$ ; é ; true
			^ö$ ; é ; false
			(?i)^ORDERS$ ; orders ; true
			""")
	void matchesAsTheBrokerDoes(String regex, String name, boolean matches) {
		assertThat(NameRegex.of(regex).matches(name)).isEqualTo(matches);
	}

	@ParameterizedTest
	@ValueSource(strings = { "^(.+?)+?!$", "^(a|a|.)*!$", "((((.*)*)*)*)*!$" })
	void givesUpAsTheBrokerDoes(String regex) {
		assertTimeoutPreemptively(Duration.ofSeconds(5),
				() -> assertThat(NameRegex.of(regex).matches("rabbit-retry.delay.v1.unroutable".repeat(6))).isFalse());
	}

	@ParameterizedTest
	@ValueSource(strings = { "(", "[a", "^[[:lower:]]+$", "^[a[b]+$", "^[a&&b]+$", "^[]a]+$", "^[^]a]+$" })
	void whatIsNoneOrReadDifferentlyIsRefused(String regex) {
		assertThatExceptionOfType(PatternSyntaxException.class).isThrownBy(() -> NameRegex.of(regex));
	}

}
