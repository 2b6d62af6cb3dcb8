/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.rabbitretry.it.listeners.ListenerPage;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The listeners that fail startup, as the documentation lists them.
 */
class RefusedListenersPageTests {

	private static final List<String> PHRASES = ListenerPage.table("What fails startup")
		.stream()
		.skip(1)
		.map((row) -> row.get(1).replace("\"", ""))
		.toList();

	private static final Path BINDER = Path.of("..", "..", "src", "binder", "src", "test", "java", "io", "github",
			"rabbitretry", "binder", "BinderContainersIntegrationTests.java");

	@Test
	void areAllTested() {
		String tests = Stream.of("ManagedListenerTests", "ManualContainerTests", "ScopedListenerTests")
			.map((test) -> Path.of("src", "test", "java",
					RefusedListenersPageTests.class.getPackageName().replace('.', '/'), test + ".java"))
			.map(RefusedListenersPageTests::source)
			.collect(Collectors.joining()) + source(BINDER);
		assertThat(PHRASES).isNotEmpty().allSatisfy((phrase) -> assertThat(tests).contains(phrase));
	}

	@Test
	void areAllListed() {
		Stream<Object> problems = Stream.concat(
				ManagedListenerTests.aListenerThatCannotBeOwnedStopsTheStart().map((arguments) -> arguments.get()[2]),
				ManualContainerTests.oneThatCannotBeCoveredStopsTheStart().map((arguments) -> arguments.get()[1]));
		assertThat(problems.map(Object::toString)).isNotEmpty()
			.allMatch((problem) -> PHRASES.stream()
				.anyMatch((phrase) -> problem.contains(phrase) || phrase.contains(problem)));
	}

	private static String source(Path test) {
		try {
			return Files.readString(test);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
