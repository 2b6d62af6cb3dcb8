/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.docs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The sentences of a page: of paragraphs, list items and cells of tables. Headings and
 * code blocks have none. A word is anything with a letter or a digit between two blanks.
 *
 * @param ofProse those of paragraphs and list items
 * @param ofTables those of cells
 */
record Sentences(List<String> ofProse, List<String> ofTables) {

	static final int LONGEST = 30;

	private static final Pattern ITEM = Pattern.compile("([-*]|\\d+\\.)\\s+.*");

	private static final Pattern END = Pattern.compile("(?<=[.!?])[\"')*]*\\s+(?=[\"'(*\\[`A-Z0-9])");

	static Sentences of(Page page) {
		List<String> prose = new ArrayList<>();
		List<String> tables = new ArrayList<>();
		StringBuilder paragraph = new StringBuilder();
		Stream.concat(page.prose().lines(), Stream.of("")).map(String::strip).forEach((line) -> {
			boolean ends = line.isEmpty() || line.startsWith("#") || line.startsWith("|")
					|| ITEM.matcher(line).matches();
			if (ends) {
				split(paragraph.toString()).forEach(prose::add);
				paragraph.setLength(0);
			}
			if (line.startsWith("|")) {
				Arrays.stream(line.split("(?<!\\\\)\\|")).flatMap(Sentences::split).forEach(tables::add);
			}
			else if (!line.startsWith("#")) {
				paragraph.append(line).append(' ');
			}
		});
		return new Sentences(prose, tables);
	}

	private static Stream<String> split(String text) {
		return END.splitAsStream(text.replaceAll("]\\([^)]*\\)", "]"))
			.map(String::strip)
			.filter((sentence) -> words(sentence) > 0);
	}

	static long words(String sentence) {
		return Arrays.stream(sentence.split("\\s+")).filter((word) -> word.matches(".*\\w.*")).count();
	}

	static List<String> tooLong(List<String> sentences) {
		return sentences.stream().filter((sentence) -> words(sentence) > LONGEST).toList();
	}

}
