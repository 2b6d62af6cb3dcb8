/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.github.rabbitretry.cli.service.ExitCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The commands that the documentation tells people to type in. Nothing answers them here.
 */
class DocumentedCommandsTests {

	private static final Path DOCS = Path.of("../../src/docs");

	private static final Pattern COMMAND = Pattern.compile("`rabbit-retry\\s+([a-z][^`]*)`");

	private static final List<String> NAMES = List.of("simulate", "parked show");

	private final Shell shell = new Shell(new ServiceConnector((note) -> {
	})).with("RABBIT_RETRY_URL", "http://127.0.0.1:1/actuator").with("RABBIT_RETRY_USER", "ops");

	@ParameterizedTest(name = "rabbit-retry {0}")
	@MethodSource("commands")
	void areUnderstood(String command) {
		Shell.Result result = this.shell.run(command.replace("REPLAY", "replay-20260701-1").split(" "));
		assertThat(result.exitCode()).as(result.err()).isNotEqualTo(ExitCode.USAGE.number());
	}

	/** Not those that need a file, nor what is named without what it needs. */
	static Stream<String> commands() throws IOException {
		try (Stream<Path> files = Files.list(DOCS)) {
			List<Path> pages = files.filter((file) -> file.toString().endsWith(".md")).toList();
			return pages.stream()
				.flatMap((page) -> COMMAND.matcher(read(page)).results())
				.map((found) -> found.group(1).replaceAll("\\s+", " "))
				.filter((command) -> !command.contains(".yml") && !NAMES.contains(command))
				.distinct()
				.sorted();
		}
	}

	@Test
	void thoseOfTheRunbookAreAmongThem() throws IOException {
		assertThat(commands()).contains("parked groups --replay-id REPLAY", "parked show --latest --cause CAUSE",
				"jobs pause REPLAY --because POISON");
	}

	@Test
	void aWrongOneIsNot() {
		assertThat(this.shell.run("parked", "group").exitCode()).isEqualTo(ExitCode.USAGE.number());
		assertThat(this.shell.run("jobs", "show", "--lastest").exitCode()).isEqualTo(ExitCode.USAGE.number());
	}

	private static String read(Path page) {
		try {
			return Files.readString(page);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
