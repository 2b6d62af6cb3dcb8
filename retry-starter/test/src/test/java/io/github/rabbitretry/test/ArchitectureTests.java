/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.test;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

@AnalyzeClasses(packages = "io.github.rabbitretry.test", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTests {

	@ArchTest
	static final ArchRule theKitKnowsNothingOfTheWiring = noClasses().should()
		.dependOnClassesThat(resideInAPackage("io.github.rabbitretry.internal.autoconfigure.."));

	@ArchTest
	static final ArchRule theKitAsksForNoTestFramework = noClasses().should()
		.dependOnClassesThat(resideInAPackage("org.junit..").or(resideInAPackage("org.springframework.boot.test..")));

}
