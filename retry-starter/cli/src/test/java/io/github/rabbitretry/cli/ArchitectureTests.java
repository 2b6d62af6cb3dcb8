/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

@AnalyzeClasses(packages = "io.github.rabbitretry.cli", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTests {

	@ArchTest
	static final ArchRule packagesHaveNoCycles = slices().matching("io.github.rabbitretry.cli.(*)..")
		.should()
		.beFreeOfCycles();

	/** The way to a service starts no Spring, and so starts fast. */
	@ArchTest
	static final ArchRule onlyTheStraightWayKnowsSpring = noClasses().that()
		.resideOutsideOfPackage("io.github.rabbitretry.cli.direct..")
		.should()
		.dependOnClassesThat()
		.resideInAPackage("org.springframework..");

	/** Messages and replays need a running service. */
	@ArchTest
	static final ArchRule nothingGoesPastTheEndpoints = noClasses().should()
		.dependOnClassesThat()
		.resideInAnyPackage("io.github.rabbitretry.internal.parking..", "io.github.rabbitretry.internal.actuate..");

}
