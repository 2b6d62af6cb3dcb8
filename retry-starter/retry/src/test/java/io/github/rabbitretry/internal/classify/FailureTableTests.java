/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.classify;

import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

class FailureTableTests {

	/** The libraries that the tests have; a name that is misspelt would never match. */
	private static final Pattern HERE = Pattern
		.compile("(java|javax\\.net|jakarta\\.(persistence|validation)|com\\.rabbitmq|tools\\.jackson|io\\.netty"
				+ "|org\\.springframework\\.(?!oxm|web\\.reactive)[a-z]+)\\..*");

	@ParameterizedTest
	@MethodSource
	void everyNameIsThatOfAnException(String name) throws ClassNotFoundException {
		assertThat(ClassUtils.forName(name, FailureTableTests.class.getClassLoader())).isAssignableTo(Throwable.class);
	}

	static Stream<String> everyNameIsThatOfAnException() {
		return new FailureTable(Failures.NOON).rows().keySet().stream().filter(HERE.asMatchPredicate()).sorted();
	}

}
