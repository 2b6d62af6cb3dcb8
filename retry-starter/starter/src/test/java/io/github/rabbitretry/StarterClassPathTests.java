/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a service gets that wants retries only: the class path of this module has nothing
 * but the starter and the libraries of this test.
 */
class StarterClassPathTests {

	@Test
	void hasTheRetries() {
		assertThat(classes())
			.contains("io/github/rabbitretry/internal/autoconfigure/RabbitRetryAutoConfiguration.class");
	}

	@Test
	void hasTheChecksOfBrokerPolicies() {
		assertThat(classes()).contains("io/github/rabbitretry/internal/brokerpolicy/BrokerPolicyMonitor.class",
				"io/github/rabbitretry/internal/operations/RabbitRetryOperationsAutoConfiguration.class");
	}

	@Test
	void hasNoDatabaseNoLedgerAndNoReplays() {
		assertThat(classes())
			.noneMatch((name) -> name.startsWith("io/github/rabbitretry/") && name.contains("/parking/"))
			.noneMatch((name) -> name.startsWith("io/github/rabbitretry/")
					&& name.matches(".*/(Ledger|Jdbc|Replays?[A-Z]\\w*(Service|Worker|Job)).*"))
			.noneMatch((name) -> name.startsWith("org/springframework/jdbc/"))
			.noneMatch((name) -> name.startsWith("com/zaxxer/hikari/"));
	}

	@Test
	void hasNoScriptOfADatabase() {
		assertThat(classes()).noneMatch((name) -> name.endsWith(".sql"));
	}

	private static List<String> classes() {
		return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
			.map(Path::of)
			.filter(Files::exists)
			.flatMap(StarterClassPathTests::names)
			.toList();
	}

	private static Stream<String> names(Path entry) {
		try {
			if (Files.isDirectory(entry)) {
				try (Stream<Path> files = Files.walk(entry)) {
					return files.map((file) -> entry.relativize(file).toString().replace(File.separatorChar, '/'))
						.toList()
						.stream();
				}
			}
			try (JarFile jar = new JarFile(entry.toFile())) {
				return jar.stream().map((file) -> file.getName()).toList().stream();
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(entry.toString(), ex);
		}
	}

}
