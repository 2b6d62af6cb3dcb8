/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry;

import java.util.concurrent.TimeUnit;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import org.jspecify.annotations.NullMarked;

import org.springframework.context.annotation.Bean;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

@AnalyzeClasses(packages = "io.github.rabbitretry", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTests {

	private static final String AUTO_CONFIGURE = "io.github.rabbitretry.internal.autoconfigure..";

	@ArchTest
	static final ArchRule packagesHaveNoCycles = slices().matching("io.github.rabbitretry.internal.(*)..")
		.should()
		.beFreeOfCycles();

	/**
	 * Package-private classes beside the API connect it with what is internal; what users
	 * name knows nothing of that.
	 */
	@ArchTest
	static final ArchRule theApiKnowsNothingInternal = noClasses().that()
		.resideOutsideOfPackage("io.github.rabbitretry.internal..")
		.and()
		.arePublic()
		.should()
		.dependOnClassesThat()
		.resideInAPackage("io.github.rabbitretry.internal..");

	@ArchTest
	static final ArchRule theApiHasNoCycles = slices().matching("io.github.rabbitretry.(*)").should().beFreeOfCycles();

	@ArchTest
	static final ArchRule nothingKnowsTheAutoConfiguration = noClasses().that()
		.resideOutsideOfPackage(AUTO_CONFIGURE)
		.should()
		.dependOnClassesThat()
		.resideInAPackage(AUTO_CONFIGURE);

	@ArchTest
	static final ArchRule autoConfigurationsArePublicAndFinal = classes().that()
		.haveSimpleNameEndingWith("AutoConfiguration")
		.should()
		.bePublic()
		.andShould()
		.haveModifier(JavaModifier.FINAL);

	@ArchTest
	static final ArchRule beanMethodsArePackagePrivate = methods().that()
		.areAnnotatedWith(Bean.class)
		.should()
		.bePackagePrivate();

	@ArchTest
	static final ArchRule everyPackageIsNullMarked = classes().that()
		.resideInAPackage("io.github.rabbitretry..")
		.should(resideInANullMarkedPackage());

	@ArchTest
	static final ArchRule classificationKnowsNothingElseOfOurs = noClasses().that()
		.resideInAnyPackage("io.github.rabbitretry.classify..", "io.github.rabbitretry.internal.classify..")
		.should()
		.dependOnClassesThat(DescribedPredicate.describe("are ours, elsewhere",
				(type) -> type.getPackageName().startsWith("io.github.rabbitretry")
						&& !type.getPackageName().endsWith(".classify")
						// how a invalid configuration is reported
						&& !type.getSimpleName().equals("InvalidConfigurationException")));

	@ArchTest
	static final ArchRule onlyOnePlaceCallsAndOneReadsSpringRetry = noClasses().that()
		.doNotHaveFullyQualifiedName("io.github.rabbitretry.internal.invocation.LocalRetry")
		.and()
		.doNotHaveFullyQualifiedName("io.github.rabbitretry.internal.invocation.InfrastructureFailures")
		.should()
		.dependOnClassesThat()
		.resideInAPackage("org.springframework.retry..");

	@ArchTest
	static final ArchRule onlyMetricsKnowMicrometer = noClasses().that()
		.resideOutsideOfPackages("io.github.rabbitretry.internal.metrics..", AUTO_CONFIGURE)
		.should()
		.dependOnClassesThat()
		.resideInAPackage("io.micrometer..");

	@ArchTest
	static final ArchRule onlyWiringKnowsSpringBoot = noClasses().that()
		.resideOutsideOfPackage(AUTO_CONFIGURE)
		.and()
		.resideOutsideOfPackages("io.github.rabbitretry.internal.actuate..",
				"io.github.rabbitretry.internal.configuration..")
		.should()
		.dependOnClassesThat()
		.resideInAPackage("org.springframework.boot..");

	@ArchTest
	static final ArchRule nothingKnowsADatabase = noClasses().should()
		.dependOnClassesThat()
		.resideInAnyPackage("javax.sql..", "org.springframework.jdbc..", "org.springframework.dao..");

	@ArchTest
	static final ArchRule nobodySleeps = noClasses().should()
		.callMethod(Thread.class, "sleep", long.class)
		.orShould()
		.callMethod(Thread.class, "sleep", long.class, int.class)
		.orShould()
		.callMethod(TimeUnit.class, "sleep", long.class);

	private static ArchCondition<JavaClass> resideInANullMarkedPackage() {
		return new ArchCondition<>("reside in a package that is @NullMarked") {

			@Override
			public void check(JavaClass type, ConditionEvents events) {
				boolean marked = type.getPackage().isAnnotatedWith(NullMarked.class);
				events.add(new SimpleConditionEvent(type, marked, type.getPackageName()));
			}

		};
	}

}
