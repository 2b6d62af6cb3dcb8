/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The simulator's outputs on the page are those of its commands and files. With
 * {@code -Ddocs.write=true} they are written anew.
 */
class SimulatorPageTests {

	private static final Path DOCS = Path.of("../../src/docs");

	private static final Path PAGE = DOCS.resolve("tutorial.md");

	/** Those of the tutorial's service lie in folders. */
	private static final Pattern FILE = Pattern.compile("```yaml\n# ([\\w-]+\\.yml)\n(.*?)```", Pattern.DOTALL);

	private static final Pattern COMMAND = Pattern.compile("(\\$ rabbit-retry ([^\n]*)\n)(.*?)(?=```)", Pattern.DOTALL);

	@TempDir
	private Path folder = Path.of("");

	@Test
	void showsWhatItsCommandsPrint() throws Exception {
		String page = Files.readString(PAGE);
		for (MatchResult file : FILE.matcher(page).results().toList()) {
			Files.writeString(this.folder.resolve(file.group(1)), file.group(2));
		}
		String expected = COMMAND.matcher(page)
			.replaceAll((command) -> Matcher.quoteReplacement(command.group(1) + output(command.group(2))));
		if (Boolean.getBoolean("docs.write")) {
			Files.writeString(PAGE, expected);
		}
		assertThat(Files.readString(PAGE)).as("run this test with -Ddocs.write=true").isEqualTo(expected);
	}

	/** Files lie in the folder; whoever reads the page is in it. */
	private String output(String command) {
		List<String> words = Arrays.stream(command.split(" "))
			.map((word) -> word.matches("\\S+\\.yml") ? this.folder.resolve(word).toString() : word)
			.toList();
		Shell.Result result = new Shell(new ServiceConnector((note) -> {
		})).run(words.toArray(String[]::new));
		assertThat(result.exitCode()).as(result.err()).isZero();
		return result.out();
	}

}
