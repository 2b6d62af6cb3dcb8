/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.mutants;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A source file, found by its class's simple name, which is unique in the project.
 *
 * @param path where it is
 */
record SourceFile(Path path) {

	private static final Path ROOT = Path.of("../../..");

	static SourceFile ofProduct(String name) {
		return find(name, "src/main/java");
	}

	static SourceFile ofTests(String name) {
		return find(name, "src/test/java");
	}

	private static SourceFile find(String name, String sources) {
		try (Stream<Path> files = Files.walk(ROOT.resolve("retry-starter"))) {
			List<Path> found = files.filter((file) -> file.endsWith(name + ".java"))
				.filter((file) -> file.toString().contains(sources))
				.toList();
			assertThat(found).as("source files of %s below %s", name, sources).hasSize(1);
			return new SourceFile(found.get(0));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static String resource(String name) {
		try (InputStream in = SourceFile.class.getResourceAsStream(name)) {
			return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	String name() {
		return this.path.getFileName().toString().replace(".java", "");
	}

	/** The class's full name. */
	String className() {
		return this.path.toString().replaceFirst(".*/src/\\w+/java/", "").replace(".java", "").replace('/', '.');
	}

	String text() {
		try {
			return Files.readString(this.path);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
