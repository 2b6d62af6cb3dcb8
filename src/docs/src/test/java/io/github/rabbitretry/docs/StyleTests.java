/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

class StyleTests {

	private static final int PERCENT = 10;

	private static final Pattern TEST = Pattern.compile("`([A-Z]\\w+Tests)`");

	@Nested
	class LongSentences {

		@Test
		void areAtMostATenthOfTheProse() {
			isAtMostATenth(Page.documentation().stream().flatMap((page) -> Sentences.of(page).ofProse().stream()));
		}

		@Test
		void areAtMostATenthOfTheTables() {
			isAtMostATenth(Page.documentation().stream().flatMap((page) -> Sentences.of(page).ofTables().stream()));
		}

		@ParameterizedTest(name = "{0}")
		@MethodSource("io.github.rabbitretry.docs.StyleTests#pages")
		void areAtMostAFifthOfAPage(String name) {
			List<String> sentences = Sentences.of(Page.of(name)).ofProse();
			assertThat(100 * Sentences.tooLong(sentences).size()).as("percent of " + sentences.size())
				.isLessThanOrEqualTo(2 * PERCENT * sentences.size());
		}

		private static void isAtMostATenth(Stream<String> all) {
			List<String> sentences = all.toList();
			List<String> tooLong = Sentences.tooLong(sentences);
			assertThat(100 * tooLong.size())
				.as("percent of %d sentences, those of more than %d words:%n%s", sentences.size(), Sentences.LONGEST,
						String.join(System.lineSeparator(), tooLong))
				.isLessThanOrEqualTo(PERCENT * sentences.size());
		}

	}

	@Nested
	class Links {

		@ParameterizedTest(name = "{0}")
		@MethodSource("io.github.rabbitretry.docs.StyleTests#pages")
		void leadSomewhere(String name) {
			Page page = Page.of(name);
			assertThat(page.links()).filteredOn((link) -> !link.contains("://"))
				.allSatisfy((link) -> leadsSomewhere(page, link));
		}

		private static void leadsSomewhere(Page page, String link) {
			String[] parts = link.split("#", 2);
			Path target = parts[0].isEmpty() ? page.path() : page.path().resolveSibling(parts[0]).normalize();
			assertThat(target).exists();
			if (parts.length == 2 && Files.isRegularFile(target)) {
				assertThat(Page.of(Page.ROOT.relativize(target).toString()).anchors()).contains(parts[1]);
			}
		}

		@Test
		void ofTheReadmeLeadToEveryPage() {
			assertThat(Page.of("README.md").links())
				.containsAll(Page.documentation().stream().map(Page::name).toList());
		}

	}

	@Nested
	class Names {

		@Test
		void ofTestsAreThoseOfClasses() throws IOException {
			Set<String> classes;
			try (Stream<Path> files = Files.find(Page.ROOT, 20,
					(file, attributes) -> file.toString().endsWith("Tests.java"))) {
				classes = files.map((file) -> file.getFileName().toString().replace(".java", ""))
					.collect(Collectors.toSet());
			}
			assertThat(Page.all()
				.stream()
				.flatMap((page) -> TEST.matcher(page.text()).results().map((name) -> name.group(1)))
				.filter((name) -> !classes.contains(name))).isEmpty();
		}

	}

	static List<String> pages() {
		return Page.all().stream().map(Page::name).toList();
	}

}
