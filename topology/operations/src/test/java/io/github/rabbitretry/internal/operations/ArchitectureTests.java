/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.operations;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

@AnalyzeClasses(
		packages = { "io.github.rabbitretry.internal.brokerpolicy", "io.github.rabbitretry.internal.doctor",
				"io.github.rabbitretry.internal.existingqueue", "io.github.rabbitretry.internal.export",
				"io.github.rabbitretry.internal.management", "io.github.rabbitretry.internal.operations",
				"io.github.rabbitretry.internal.permission", "io.github.rabbitretry.internal.snapshot" },
		importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTests {

	/** Which consists of everything else, but for the topology's model. */
	@ArchTest
	static final ArchRule operationsKnowTheModelAndNotTheService = noClasses().should()
		.dependOnClassesThat()
		.resideInAnyPackage("io.github.rabbitretry.internal.policy..", "io.github.rabbitretry.internal.declaration..",
				"io.github.rabbitretry.internal.connection..", "io.github.rabbitretry.internal.handover..",
				"io.github.rabbitretry.internal.listener..", "io.github.rabbitretry.internal.container..",
				"io.github.rabbitretry.internal.delivery..", "io.github.rabbitretry.internal.pipeline..",
				"io.github.rabbitretry.internal.invocation..", "io.github.rabbitretry.internal.autoconfigure..",
				"com.rabbitmq..", "org.springframework.amqp.rabbit..");

	@ArchTest
	static final ArchRule onlyWiringKnowsSpringBoot = noClasses().that()
		.resideOutsideOfPackage("io.github.rabbitretry.internal.operations")
		.should()
		.dependOnClassesThat()
		.resideInAPackage("org.springframework.boot..");

	@ArchTest
	static final ArchRule packagesHaveNoCycles = slices().matching("io.github.rabbitretry.internal.(*)..")
		.should()
		.beFreeOfCycles();

}
