/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.time.Clock;
import java.util.List;

import io.github.rabbitretry.explain.RetryExplainer;
import io.github.rabbitretry.internal.actuate.RetryExplainEndpoint;
import io.github.rabbitretry.internal.classify.ClassificationChain;
import io.github.rabbitretry.internal.classify.ClassificationRules;
import io.github.rabbitretry.internal.explain.DefaultRetryExplainer;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

class RetryEndpointsAutoConfigurationTests {

	private static final MessagePolicies NONE = new MessagePolicies(List.of());

	private static final ClassificationChain CHAIN = new ClassificationChain(List.of(),
			ClassificationRules.of(List.of(), null), Clock.systemUTC());

	private final ApplicationContextRunner application = StartReport.application()
		.withConfiguration(AutoConfigurations.of(RetryEndpointsAutoConfiguration.class))
		.withPropertyValues("rabbit-retry.message-policies.Order.owner=team-orders",
				"management.endpoints.web.exposure.include=retryexplain");

	@Test
	void theEndpointIsThereWhereItIsExposed() {
		this.application.run((context) -> {
			assertThat(context).hasSingleBean(RetryExplainEndpoint.class);
			assertThat(context.getBean(RetryExplainEndpoint.class)
				.explain(new String[] { "Order" }, "java.io.IOException", null, null, null, null, null, null)
				.getStatus()).isEqualTo(200);
		});
	}

	@Test
	void itIsNotThereWhereItIsNotExposed() {
		this.application.withPropertyValues("management.endpoints.web.exposure.include=health")
			.run((context) -> assertThat(context).doesNotHaveBean(RetryExplainEndpoint.class)
				.hasSingleBean(RetryExplainer.class));
	}

	@Test
	void itIsNotThereWithoutAccess() {
		this.application.withPropertyValues("management.endpoint.retryexplain.access=NONE")
			.run((context) -> assertThat(context).doesNotHaveBean(RetryExplainEndpoint.class));
	}

	@Test
	void withoutTheActuatorTheRestWorks() {
		this.application.withClassLoader(new FilteredClassLoader(Endpoint.class)).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context).doesNotHaveBean(RetryExplainEndpoint.class).hasSingleBean(RetryExplainer.class);
		});
	}

	@Test
	void withoutAPolicyThereIsNothingToExplain() {
		new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(RabbitRetryAutoConfiguration.class, RetryEndpointsAutoConfiguration.class))
			.withPropertyValues("management.endpoints.web.exposure.include=retryexplain")
			.run((context) -> assertThat(context).doesNotHaveBean(RetryExplainEndpoint.class)
				.doesNotHaveBean(RetryExplainer.class));
	}

	@Test
	void anEndpointOfTheUsersOwnReplacesOurs() {
		this.application
			.withBean("own", RetryExplainEndpoint.class,
					() -> new RetryExplainEndpoint(new DefaultRetryExplainer(NONE, CHAIN, Clock.systemUTC()), NONE,
							CHAIN, null))
			.run((context) -> assertThat(context).doesNotHaveBean("rabbitRetryExplainEndpoint")
				.hasSingleBean(RetryExplainEndpoint.class));
	}

	@Test
	void rulesKnowTheMessageTypesOfTheConfiguration() {
		String rule = "rabbit-retry.classification.rules[0].";
		this.application
			.withPropertyValues(rule + "message-type=Order", rule + "schema-version=1,2", rule + "http-status=5xx",
					rule + "sql-state=40*", rule + "failure-class=transient", rule + "reason=WHY", rule + "delay=30s",
					rule + "mode=shadow", "rabbit-retry.classification.schema-version-header=v")
			.run((context) -> {
				assertThat(context).hasNotFailed().hasSingleBean(MessagePolicies.class);
				ClassificationChain chain = context.getBean(ClassificationChain.class);
				assertThat(chain.schemaVersionHeader()).isEqualTo("v");
				assertThat(chain.rules().get(0).conditions())
					.isEqualTo("message-type [Order], schema-version [1, 2], sql-state [40*], http-status [500-599]");
			});
	}

}
