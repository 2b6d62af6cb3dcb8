/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package com.acme.orders;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The public API is what users need: each type is in an example that compiles or in the
 * docs, and no example needs more.
 */
class ExamplesTests {

	private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();

	private static final Path EXAMPLES = Path.of("src/test/java/com/acme/orders");

	private static final Pattern TYPE = Pattern
		.compile("^(?:record|enum|class|interface) [\\w.]+?\\.([A-Z]\\w*)(?: |$)", Pattern.MULTILINE);

	/** Classes, but for tests, and the method that replays. */
	private static final Pattern EXAMPLE = Pattern
		.compile("```java\\n((?:class \\w+(?<!Tests)|ReplayJob replay\\(\\)) .*?)```", Pattern.DOTALL);

	@Test
	void nameEachTypeOfTheApiUnlessTheDocsDo() {
		String used = examples() + texts(ROOT.resolve("src/docs"), ".md");
		assertThat(types()).isNotEmpty()
			.hasSizeLessThanOrEqualTo(64)
			.allMatch((type) -> Pattern.compile("\\b" + type + "\\b").matcher(used).find());
	}

	@Test
	void nameNothingInternal() {
		assertThat(examples()).doesNotContain("rabbitretry.internal");
	}

	@Test
	void areWhatTheDocsShow() {
		String sources = unindented(examples());
		assertThat(EXAMPLE.matcher(texts(ROOT.resolve("src/docs"), ".md")).results().map((block) -> block.group(1)))
			.hasSizeGreaterThan(4)
			.allMatch((block) -> sources.contains(unindented(block)));
	}

	private static List<String> types() {
		return Stream.of("retry", "parking", "test")
			.map((artifact) -> text(ROOT.resolve("retry-starter").resolve(artifact).resolve("src/test/api.txt")))
			.flatMap((api) -> TYPE.matcher(api).results())
			.map((MatchResult type) -> type.group(1))
			.toList();
	}

	private static String examples() {
		return texts(EXAMPLES, ".java");
	}

	private static String texts(Path folder, String ending) {
		try (Stream<Path> files = Files.list(folder)) {
			return files.filter((file) -> file.toString().endsWith(ending) && !file.endsWith("ExamplesTests.java"))
				.sorted()
				.map(ExamplesTests::text)
				.reduce("", String::concat);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String text(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String unindented(String code) {
		return code.lines().map(String::strip).filter((line) -> !line.isEmpty()).reduce("", (a, b) -> a + b + "\n");
	}

}
