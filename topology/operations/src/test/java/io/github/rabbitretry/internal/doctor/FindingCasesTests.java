/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.doctor;

import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Nothing is called a finding that no real broker was brought to, unless it is said here
 * why.
 */
class FindingCasesTests {

	private static final Map<String, String> WITHOUT_CASE = Map.of("nothing-declared", "has a test of its own",
			"broker-version", "takes a version that is not supported");

	@Test
	void eachCodeHasACaseOrAReasonWhyNot() {
		Set<String> cases = TopologyDoctorIntegrationTests.broken()
			.map(TopologyDoctorIntegrationTests.Broken::code)
			.collect(Collectors.toSet());
		assertThat(cases).doesNotContainAnyElementsOf(WITHOUT_CASE.keySet());
		assertThat(Stream.concat(cases.stream(), WITHOUT_CASE.keySet().stream()))
			.containsExactlyInAnyOrderElementsOf(Stream.of(FindingCode.values()).map(FindingCode::code).toList());
	}

}
