/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.mutants;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The product with one deliberate defect.
 *
 * @param name what it is called
 * @param defect what it breaks
 * @param source the class that is changed
 * @param before the lines that are replaced
 * @param after what is there instead
 * @param test the test that has to notice it
 */
record Mutant(String name, String defect, SourceFile source, List<String> before, List<String> after, NamedTest test) {

	static Stream<Mutant> all() {
		return Arrays.stream(SourceFile.resource("mutants.txt").split("\n\n"))
			.filter((text) -> !text.startsWith("#"))
			.map(Mutant::parse);
	}

	private static Mutant parse(String text) {
		List<String> lines = text.strip().lines().toList();
		return new Mutant(lines.get(0), lines.get(1), SourceFile.ofProduct(lines.get(2)), marked(lines, "-"),
				marked(lines, "+"), NamedTest.parse(lines.get(lines.size() - 1)));
	}

	private static List<String> marked(List<String> lines, String mark) {
		return lines.stream().filter((line) -> line.startsWith(mark)).map((line) -> line.substring(1).strip()).toList();
	}

	/** A refactoring must not retire a mutant without anybody knowing. */
	String code() {
		String original = this.source.text();
		Matcher found = Pattern
			.compile(this.before.stream().map(Pattern::quote).collect(Collectors.joining("\\s*\\n\\s*")))
			.matcher(original);
		assertThat(found.results()).as("places in %s.java where this is found: %s", this.source.name(), this.before)
			.hasSize(1);
		return found.replaceFirst(Matcher.quoteReplacement(String.join("\n", this.after)));
	}

	/** Its row in the table of the README. */
	String row() {
		return "| %s | %s | `%s` | `%s` |".formatted(this.name, this.defect, this.source.name(), this.test);
	}

	@Override
	public String toString() {
		return this.name;
	}

}
