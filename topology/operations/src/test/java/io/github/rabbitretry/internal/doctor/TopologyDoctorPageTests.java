/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TopologyDoctorPageTests {

	@Test
	void thePageHasAllCodesWithSeverityAndReason() throws IOException {
		List<String> page = Files.readAllLines(Path.of("../../src/docs/topology-doctor.md"))
			.stream()
			.filter((line) -> line.matches("\\| `[a-z-]+` \\| (error|warning|info) \\| .*"))
			.toList();
		assertThat(page).containsExactlyElementsOf(Stream.of(FindingCode.values())
			.map((code) -> "| `%s` | %s | %s |".formatted(code.code(), code.severity().name().toLowerCase(Locale.ROOT),
					code.why()))
			.toList());
	}

}
