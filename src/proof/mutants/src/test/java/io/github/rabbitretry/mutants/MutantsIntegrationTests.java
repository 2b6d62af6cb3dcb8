/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.mutants;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.github.rabbitretry.mutants.TestMain.Outcome;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

class MutantsIntegrationTests {

	private static Map<String, Outcome> withoutMutant = Map.of();

	@BeforeAll
	static void runTheTestsWithoutMutant(@TempDir Path folder) throws Exception {
		Set<NamedTest> tests = Mutant.all().map(Mutant::test).collect(Collectors.toSet());
		withoutMutant = new TestJvm(folder).run(tests);
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("io.github.rabbitretry.mutants.Mutant#all")
	void isNoticed(Mutant mutant, @TempDir Path folder) throws Exception {
		String test = mutant.test().argument();
		assertThat(withoutMutant).as("without a mutant").containsEntry(test, Outcome.PASSED);
		TestJvm jvm = new TestJvm(folder);
		jvm.compile(mutant);
		assertThat(jvm.run(List.of(mutant.test()))).as(jvm::output).containsEntry(test, Outcome.ASSERTION_FAILED);
	}

	@Test
	void areAllInTheReadme() throws Exception {
		assertThat(Files.readAllLines(Path.of("README.md"))).containsSequence(Mutant.all().map(Mutant::row).toList());
	}

}
