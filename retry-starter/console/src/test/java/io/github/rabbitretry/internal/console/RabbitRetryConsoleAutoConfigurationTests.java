/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console;

import java.util.UUID;

import io.github.rabbitretry.internal.autoconfigure.StartReport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class RabbitRetryConsoleAutoConfigurationTests {

	private static final String[] PROPERTIES = { "spring.rabbitmq.host=127.0.0.1", "spring.rabbitmq.port=1",
			"spring.rabbitmq.listener.simple.auto-startup=false", "rabbit-retry.topology.mode=none",
			"rabbit-retry.topology.startup-check=false", "rabbit-retry.dead-letter-consumer.enabled=false",
			"rabbit-retry.ledger.ingest=false", "rabbit-retry.message-policies.Order.queue=orders",
			"management.endpoints.web.exposure.include=retryconsole,parkinglot" };

	private final WebApplicationContextRunner web = new WebApplicationContextRunner()
		.withUserConfiguration(Application.class)
		.withPropertyValues(PROPERTIES)
		.withPropertyValues("spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID());

	@Test
	void thereIsNoneUnlessItIsEnabled() {
		this.web.run((context) -> assertThat(context).hasNotFailed()
			.doesNotHaveBean(ConsoleEndpoint.class)
			.doesNotHaveBean(ConsoleGuard.class)
			.doesNotHaveBean("rabbitRetryConsoleFilter"));
	}

	@Test
	void itIsThereOnceItIsEnabled() {
		this.web.withPropertyValues("rabbit-retry.console.enabled=true")
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(ConsoleEndpoint.class)
				.hasBean("rabbitRetryConsoleFilter"));
	}

	@ParameterizedTest
	@CsvSource({ "management.endpoints.web.exposure.include, parkinglot, retryconsole",
			"management.endpoints.web.exposure.include, retryconsole, parkinglot",
			"management.endpoints.web.exposure.exclude, retryconsole, retryconsole",
			"management.endpoint.parkinglot.access, NONE, parkinglot",
			"management.endpoint.retryconsole.access, NONE, retryconsole" })
	void startupFailsIfWhatItNeedsIsNotThere(String property, String value, String missing) {
		this.web.withPropertyValues("rabbit-retry.console.enabled=true", property + "=" + value).run((context) -> {
			assertThat(context).hasFailed();
			FailureAnalysis analysis = StartReport.explain(context.getStartupFailure());
			assertThat(analysis.getDescription()).contains("rabbit-retry.console.enabled",
					"needs the web endpoint '%s'".formatted(missing));
			assertThat(analysis.getAction()).contains(missing, "management.endpoints.web.exposure.include",
					"management.endpoint.%s.access".formatted(missing));
		});
	}

	@Test
	void startupFailsIfTheManagementPortIsOff() {
		this.web.withPropertyValues("rabbit-retry.console.enabled=true", "management.server.port=-1").run((context) -> {
			assertThat(context).hasFailed();
			FailureAnalysis analysis = StartReport.explain(context.getStartupFailure());
			assertThat(analysis.getDescription()).contains("rabbit-retry.console.enabled",
					"management.server.port is -1");
			assertThat(analysis.getAction()).contains("management.server.port", "rabbit-retry.console.enabled");
		});
	}

	@Test
	void startupFailsWithoutMessagePolicies() {
		new WebApplicationContextRunner().withUserConfiguration(Application.class)
			.withPropertyValues("spring.rabbitmq.host=127.0.0.1", "spring.rabbitmq.port=1",
					"spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID(), "rabbit-retry.console.enabled=true")
			.run((context) -> {
				assertThat(context).hasFailed();
				assertThat(StartReport.explain(context.getStartupFailure()).getAction()).contains("message policy");
			});
	}

	@Test
	void anApplicationWithoutAWebServerIsWarned(CapturedOutput output) {
		new ApplicationContextRunner().withUserConfiguration(Application.class)
			.withPropertyValues(PROPERTIES)
			.withPropertyValues("spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID(),
					"rabbit-retry.console.enabled=true")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(ConsoleEndpoint.class));
		assertThat(output).contains("rabbit-retry.console.enabled").contains("no web application");
	}

	@ParameterizedTest
	@CsvSource({ "rabbit-retry.console.enable, enabled", "rabbit-retry.console.enviroment, environment" })
	void unknownKeysFailStartupAndNameWhatWasMeant(String property, String meant) {
		this.web.withPropertyValues(property + "=true").run((context) -> {
			assertThat(context).hasFailed();
			FailureAnalysis analysis = StartReport.explain(context.getStartupFailure());
			assertThat(analysis.getDescription()).contains(property, "is not a key of Rabbit Retry");
			assertThat(analysis.getAction()).contains("Did you mean '" + meant + "'?");
		});
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
