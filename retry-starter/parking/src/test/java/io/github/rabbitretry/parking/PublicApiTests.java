/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.github.rabbitretry.api.PublicApi;
import io.github.rabbitretry.parking.message.ParkedMessage;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What users can name is written down, so that a change of it is seen and meant.
 */
class PublicApiTests {

	private static final Path WRITTEN_DOWN = Path.of("src/test/api.txt");

	@Test
	void isWhatIsWrittenDown() throws IOException {
		List<String> api = PublicApi.of(ParkedMessage.class);
		Path found = Files.write(Path.of("target/api.txt"), api);
		assertThat(WRITTEN_DOWN).as("If the change is meant, copy %s to %s", found, WRITTEN_DOWN)
			.hasSameTextualContentAs(found);
	}

}
