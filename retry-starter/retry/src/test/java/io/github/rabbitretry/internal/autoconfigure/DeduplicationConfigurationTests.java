/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.time.Duration;

import io.github.rabbitretry.deduplication.MessageDeduplicator;
import io.github.rabbitretry.internal.deduplication.Deduplicators;
import io.github.rabbitretry.internal.policy.Deduplication;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The keys {@code deduplication} of a policy.
 */
class DeduplicationConfigurationTests {

	private static final String ORDER = "rabbit-retry.message-policies.Order.";

	private static final MessageDeduplicator OWN = (queue, messageId, handler) -> true;

	private final ApplicationContextRunner application = StartReport.application()
		.withPropertyValues(ORDER + "owner=team-orders");

	@Test
	void isOffByDefault() {
		this.application.withBean(MessageDeduplicator.class, () -> OWN).run((context) -> {
			assertThat(policy(context).deduplication()).isNull();
			assertThat(deduplicator(context)).isNull();
		});
	}

	@Test
	void oneLineEnablesIt() {
		this.application.withPropertyValues(ORDER + "deduplication.store=in-memory").run((context) -> {
			assertThat(deduplicator(context)).isNotNull();
			assertThat(policy(context).deduplication()).extracting(Deduplication::retention, Deduplication::maxMessages)
				.containsExactly(Duration.ofDays(1), 100_000);
		});
	}

	@Test
	void messagesAreRememberedForAsLongAsTheyAreRetried() {
		this.application.withPropertyValues(ORDER + "deduplication.store=in-memory", ORDER + "max-retry-age=3d")
			.run((context) -> assertThat(policy(context).deduplication()).extracting(Deduplication::retention)
				.isEqualTo(Duration.ofDays(3)));
	}

	@Test
	void theApplicationsOwnIsUsedWhereItIsAskedFor() {
		this.application.withBean(MessageDeduplicator.class, () -> OWN)
			.withPropertyValues(ORDER + "deduplication.store=bean")
			.run((context) -> assertThat(deduplicator(context)).isSameAs(OWN));
	}

	@Test
	void withoutOneTheStartFails() {
		this.application.withPropertyValues(ORDER + "deduplication.store=bean")
			.run((context) -> assertFailed(context, "deduplication.store",
					"needs one bean of type MessageDeduplicator, and there is none", "Define one"));
	}

	@Test
	void withSeveralTheStartFails() {
		this.application.withBean("one", MessageDeduplicator.class, () -> OWN)
			.withBean("two", MessageDeduplicator.class, () -> OWN)
			.withPropertyValues(ORDER + "deduplication.store=bean")
			.run((context) -> assertFailed(context, "deduplication.store", "and there is more than one",
					"mark one of several as @Primary"));
	}

	@Test
	void jdbcNamesTheDependencyThatItNeeds() {
		this.application.withPropertyValues(ORDER + "deduplication.store=jdbc")
			.run((context) -> assertFailed(context, "deduplication.store", "needs rabbit-retry-parking",
					"Add the dependency io.github.rabbitretry:rabbit-retry-parking-spring-boot-starter"));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			retention=1h     | must be >= max-retry-age (PT2H)
			retention=0s     | must be positive
			retention=400d   | must be at most PT8784H
			max-messages=0   | must be from 1 to 10000000
			""")
	void aWrongValueFailsTheStart(String property, String relation) {
		this.application.withPropertyValues(ORDER + "deduplication." + property)
			.run((context) -> assertFailed(context, "deduplication." + property.split("=")[0], relation, ""));
	}

	private static void assertFailed(AssertableApplicationContext context, String property, String relation,
			String remedy) {
		assertThat(context).hasFailed();
		FailureAnalysis analysis = StartReport.explain(context.getStartupFailure());
		assertThat(analysis.getDescription()).contains(ORDER + property).contains(relation);
		assertThat(analysis.getAction()).contains(remedy);
	}

	private static MessagePolicy policy(AssertableApplicationContext context) {
		return context.getBean(MessagePolicies.class).all().iterator().next();
	}

	private static @Nullable MessageDeduplicator deduplicator(AssertableApplicationContext context) {
		return context.getBean(Deduplicators.class).of(policy(context));
	}

}
