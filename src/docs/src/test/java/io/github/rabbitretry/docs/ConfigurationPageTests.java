/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The tables of the page are made from the metadata. With {@code -Ddocs.write=true} they
 * are written anew, which is what to do after a key or its description has changed.
 */
class ConfigurationPageTests {

	/**
	 * A comment names the keys in the order of the rows, or the prefix of all of them.
	 */
	private static final Pattern TABLE = Pattern
		.compile("(?s)(<!-- keys( of a policy)?: ([^>]*?) -->\n)(.*?)(?=\n\n|\\z)");

	private static final String HEAD = "| key | value | default | |\n|---|---|---|---|\n";

	private final Map<String, ConfigurationKey> keys = ConfigurationKeys.read();

	private final Page page = Page.of("src/docs/configuration.md");

	@Test
	void describesEachKeyAsTheMetadataDoes() throws IOException {
		String expected = TABLE.matcher(this.page.text())
			.replaceAll((table) -> Matcher.quoteReplacement(table.group(1) + table(table)));
		if (Boolean.getBoolean("docs.write")) {
			Files.writeString(this.page.path(), expected);
		}
		assertThat(Files.readString(this.page.path())).as("run this test with -Ddocs.write=true").isEqualTo(expected);
	}

	@Test
	void namesEachKeyOnceAndNoOther() {
		List<String> named = new ArrayList<>();
		TABLE.matcher(this.page.text()).results().forEach((table) -> names(table).forEach(named::add));
		this.page.prose()
			.lines()
			.filter((line) -> line.startsWith("| `rabbit-retry.classification.rules[]."))
			.forEach((line) -> named.add(line.split("`")[1]));
		assertThat(named).containsExactlyInAnyOrderElementsOf(
				this.keys.keySet().stream().filter((name) -> !name.equals("rabbit-retry.defaults.queue")).toList());
	}

	private String table(MatchResult table) {
		return names(table).map((name) -> this.keys.get(name).row(shown(name)))
			.collect(Collectors.joining("\n", HEAD, ""));
	}

	private static String shown(String name) {
		return name.startsWith(ConfigurationKeys.POLICY) ? name.substring(ConfigurationKeys.POLICY.length()) : name;
	}

	private Stream<String> names(MatchResult table) {
		String prefix = (table.group(2) != null) ? ConfigurationKeys.POLICY : "";
		return Arrays.stream(table.group(3).strip().split("\\s+")).flatMap((name) -> matching(prefix + name));
	}

	private Stream<String> matching(String name) {
		if (name.endsWith(".*")) {
			List<String> below = this.keys.keySet()
				.stream()
				.filter((key) -> key.startsWith(name.substring(0, name.length() - 1)) && !key.contains("[]"))
				.sorted()
				.toList();
			assertThat(below).as(name).isNotEmpty();
			return below.stream();
		}
		assertThat(this.keys).containsKey(name);
		return Stream.of(name);
	}

}
