/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console.application;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

@AnalyzeClasses(packages = "io.github.rabbitretry.internal.console.application",
		importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTests {

	@ArchTest
	static final ArchRule onlyTheMainClassIsPublic = classes().that()
		.arePublic()
		.should()
		.haveSimpleName("ConsoleApplication");

	/** Whatever declares, consumes or moves into the ledger is a service's. */
	@ArchTest
	static final ArchRule itTakesNoPartInDeliveries = noClasses().should()
		.dependOnClassesThat()
		.resideInAnyPackage("io.github.rabbitretry.internal.listener..", "io.github.rabbitretry.internal.pipeline..",
				"io.github.rabbitretry.internal.deadletter..", "io.github.rabbitretry.internal.parking.ingestion..");

}
