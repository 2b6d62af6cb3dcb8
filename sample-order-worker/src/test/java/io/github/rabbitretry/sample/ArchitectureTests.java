/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

@AnalyzeClasses(packages = "io.github.rabbitretry.sample",
		importOptions = { ImportOption.DoNotIncludeTests.class, ArchitectureTests.OnlyWhatIsWritten.class })
class ArchitectureTests {

	@ArchTest
	static final ArchRule theWorkerStaysAsItIsWhenTheStarterIsRemoved = noClasses().should()
		.dependOnClassesThat(resideInAPackage("io.github.rabbitretry..")
			.and(not(resideInAPackage("io.github.rabbitretry.sample.."))));

	@ArchTest
	static final ArchRule packagesHaveNoCycles = slices().matching("io.github.rabbitretry.sample.(*)..")
		.should()
		.beFreeOfCycles();

	/** A build without clean finds what process-aot generated in the last one. */
	static final class OnlyWhatIsWritten implements ImportOption {

		@Override
		public boolean includes(Location location) {
			return !location.contains("__");
		}

	}

}
