/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.autoconfigure;

import java.util.List;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.core.io.support.SpringFactoriesLoader;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the ledger and the endpoints use by reflection is kept in a native image.
 */
class LedgerRuntimeHintsTests {

	private static final RuntimeHints hints = new RuntimeHints();

	@BeforeAll
	static void register() {
		ClassLoader classLoader = LedgerRuntimeHintsTests.class.getClassLoader();
		SpringFactoriesLoader.forResourceLocation("META-INF/spring/aot.factories", classLoader)
			.load(RuntimeHintsRegistrar.class)
			.stream()
			.filter((registrar) -> registrar.getClass().getName().startsWith("io.github.rabbitretry.internal.parking"))
			.forEach((registrar) -> registrar.registerHints(hints, classLoader));
	}

	@Test
	void scriptsOfTheLedgerAreThere() {
		assertThat(RuntimeHintsPredicates.resource()
			.forResource("io/github/rabbitretry/parking/schema/common/V1__rabbit_retry_ledger.sql")).accepts(hints);
	}

	@Test
	void everyAnswerOfAnEndpointCanBeWritten() {
		List<JavaClass> answers = new ClassFileImporter().withImportOption(new ImportOption.DoNotIncludeTests())
			.importPackages("io.github.rabbitretry.internal.parking.actuate")
			.stream()
			.filter((type) -> type.isRecord() && type.isAssignableTo(OperationResponseBody.class))
			.toList();
		assertThat(answers).hasSizeGreaterThan(6)
			.allSatisfy(
					(type) -> assertThat(RuntimeHintsPredicates.reflection().onType(type.reflect())).accepts(hints));
	}

}
