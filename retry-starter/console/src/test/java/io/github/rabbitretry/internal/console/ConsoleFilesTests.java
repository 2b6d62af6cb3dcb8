/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.core.io.support.SpringFactoriesLoader;

import static org.assertj.core.api.Assertions.assertThat;

class ConsoleFilesTests {

	private static final Path FOLDER = Path.of("src/main/resources", ConsoleFiles.FOLDER);

	@Test
	void areThoseOfTheFolder() throws IOException {
		try (Stream<Path> files = Files.list(FOLDER)) {
			assertThat(files.map((file) -> file.getFileName().toString())
				.filter((name) -> !name.equals(ConsoleFiles.PAGE) && !name.endsWith(".md")))
				.containsExactlyInAnyOrderElementsOf(ConsoleFiles.NAMES);
		}
	}

	@Test
	void includeTheLibraryAsItWasPublished() throws IOException, NoSuchAlgorithmException {
		byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(FOLDER.resolve("lit-html.js")));
		assertThat(FOLDER.resolve("vendored.md")).content().contains(HexFormat.of().formatHex(digest));
	}

	@Test
	void areKeptInANativeImage() {
		RuntimeHints hints = new RuntimeHints();
		SpringFactoriesLoader.forResourceLocation("META-INF/spring/aot.factories")
			.load(RuntimeHintsRegistrar.class)
			.stream()
			.filter(ConsoleRuntimeHints.class::isInstance)
			.forEach((registrar) -> registrar.registerHints(hints, null));
		assertThat(Stream.concat(Stream.of(ConsoleFiles.PAGE), ConsoleFiles.NAMES.stream()))
			.allSatisfy((name) -> assertThat(RuntimeHintsPredicates.resource().forResource(ConsoleFiles.FOLDER + name))
				.accepts(hints));
	}

}
