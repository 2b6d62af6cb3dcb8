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
			"topology-differs", "has a test of its own, without the management API", "policy-federation",
			"needs a plugin; ExaminationsTests", "queue-replica-down", "needs a cluster; ExaminationsTests",
			"broker-version", "needs a version that is not tested with; ExaminationsTests", "version-passive-declare",
			"needs 4.2.6 or 4.3.0; ExaminationsTests", "version-delivery-limit",
			"needs a version before 4.0; ExaminationsTests", "version-delayed-exchange",
			"needs a plugin; ExaminationsTests", "policy-unreadable",
			"no command writes a simpler pattern; MinimalArgumentsIntegrationTests");

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
