/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.topology;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

@AnalyzeClasses(packages = { "io.github.rabbitretry.internal.broker", "io.github.rabbitretry.internal.health",
		"io.github.rabbitretry.internal.topology" }, importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTests {

	@ArchTest
	static final ArchRule topologyKnowsNoSpringBoot = noClasses().should()
		.dependOnClassesThat()
		.resideInAnyPackage("org.springframework.boot..", "io.github.rabbitretry.internal.autoconfigure..");

	@ArchTest
	static final ArchRule packagesHaveNoCycles = slices().matching("io.github.rabbitretry.(*)..")
		.should()
		.beFreeOfCycles();

}
