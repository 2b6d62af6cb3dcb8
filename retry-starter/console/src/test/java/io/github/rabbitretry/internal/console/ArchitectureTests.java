/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console;

import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import org.springframework.context.annotation.Bean;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

@AnalyzeClasses(packages = "io.github.rabbitretry.internal.console",
		importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTests {

	@ArchTest
	static final ArchRule onlyTheAutoConfigurationIsPublic = classes().that()
		.arePublic()
		.should()
		.haveSimpleNameEndingWith("AutoConfiguration")
		.andShould()
		.haveModifier(JavaModifier.FINAL);

	@ArchTest
	static final ArchRule beanMethodsArePackagePrivate = methods().that()
		.areAnnotatedWith(Bean.class)
		.should()
		.bePackagePrivate();

	/** Data come from the endpoints, whose access and audit hold. */
	@ArchTest
	static final ArchRule itReadsNothingItself = noClasses().should()
		.dependOnClassesThat()
		.resideInAnyPackage("io.github.rabbitretry.parking..", "org.springframework.jdbc..",
				"org.springframework.amqp..");

	@ArchTest
	static final ArchRule servletsAndSecurityAreOptional = noClasses().that()
		.haveNameNotMatching(".*Console(Servlet|Web)(Filter|Configuration).*")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("jakarta.servlet..", "reactor..", "org.springframework.security..");

}
