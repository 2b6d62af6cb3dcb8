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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TopologyDoctorPageTests {

	private static final Pattern ROW = Pattern
		.compile("\\| (`[a-z-]+`(?:, `[a-z-]+`)*) \\| (error|warning|info) \\| .*");

	@Test
	void thePageHasAllCodesWithTheirSeverity() throws IOException {
		List<String> page = Files.readAllLines(Path.of("../../src/docs/operating-the-topology.md"))
			.stream()
			.map(ROW::matcher)
			.filter(Matcher::matches)
			.flatMap((row) -> Stream.of(row.group(1).split(", ")).map((code) -> code + " " + row.group(2)))
			.toList();
		assertThat(page).containsExactlyInAnyOrderElementsOf(Stream.of(FindingCode.values())
			.map((code) -> "`%s` %s".formatted(code.code(), code.severity().name().toLowerCase(Locale.ROOT)))
			.toList());
	}

}
