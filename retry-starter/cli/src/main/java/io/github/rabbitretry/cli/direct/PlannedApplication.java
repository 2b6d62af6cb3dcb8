/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.direct;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

import io.github.rabbitretry.cli.service.ExitCode;
import io.github.rabbitretry.cli.service.ServiceException;
import io.github.rabbitretry.internal.simulation.PolicySimulator;
import io.github.rabbitretry.internal.simulation.SimulationBounds;

import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.DefaultResourceLoader;

/**
 * A service's policies and rules, checked as at its start, and nothing else of it: broker
 * and database are not used, nor the keys that lead to them.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class PlannedApplication {

	private static final Map<String, String> ALSO = Map.of("management.endpoints.web.exposure.include",
			"retrysimulation,retryexplain", "management.endpoint.retrysimulation.access", "read-only",
			"management.endpoint.retryexplain.access", "read-only", "rabbit-retry.replay.work", "false",
			"rabbit-retry.topology.policies", "ignore", "spring.autoconfigure.exclude",
			"org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration", "spring.application.name",
			"simulated");

	/** What leads elsewhere, or has a say in what runs here. */
	private static final Pattern ELSEWHERE = Pattern.compile(
			"(spring|management|server|logging)\\..*|rabbitretry\\.(ledger|replay|scan|topology|broker\\.management)\\W?.*"
					+ "|rabbitretry\\.(defaults|messagepolicies\\W.+)\\.deduplication\\..*");

	/** Says how many consumers a simulation is to assume. */
	private static final Pattern CONSUMERS = Pattern.compile(
			"spring\\.rabbitmq\\.listener\\.(type=(simple|direct)|(simple\\.(max)?concurrency|direct\\.consumersperqueue)=\\d{1,6})");

	private static final Pattern RULE = Pattern.compile("rabbitretry\\.classification\\.rules\\[\\d+]\\.exception");

	@Bean
	PolicySimulator simulatorThatHasTheProcessForItself() {
		return new PolicySimulator(SimulationBounds.OWN_PROCESS);
	}

	static ConfigurableApplicationContext start(List<Path> files, MissingExceptions exceptions, boolean verbose) {
		// the service's own settings of its log are not for this process
		System.setProperty("org.springframework.boot.logging.LoggingSystem", "none");
		if (verbose) {
			System.setProperty("rabbit-retry.log", "INFO");
		}
		Map<String, String> properties = new HashMap<>(DirectApplication.ALWAYS);
		properties.putAll(ALSO);
		properties.put("spring.config.location", DirectApplication.locations(files));
		try {
			return new SpringApplicationBuilder(PlannedApplication.class).web(WebApplicationType.NONE)
				.resourceLoader(new DefaultResourceLoader(exceptions))
				.bannerMode(Banner.Mode.OFF)
				.logStartupInfo(false)
				.initializers((context) -> keep(context.getEnvironment(), files, exceptions))
				.run(properties.entrySet()
					.stream()
					.map((property) -> "--" + property.getKey() + "=" + property.getValue())
					.toArray(String[]::new));
		}
		catch (RuntimeException ex) {
			throw DirectApplication.refused(ex);
		}
	}

	private static void keep(ConfigurableEnvironment environment, List<Path> files, MissingExceptions exceptions) {
		for (PropertySource<?> source : environment.getPropertySources().stream().toList()) {
			if (source instanceof MapPropertySource known && source.getName().startsWith("Config resource")) {
				Map<String, Object> kept = new LinkedHashMap<>();
				for (String name : known.getPropertyNames()) {
					String uniform = name.replace("-", "").replace("_", "").toLowerCase(Locale.ROOT);
					Object value = known.getProperty(name);
					if (RULE.matcher(uniform).matches()) {
						exceptions.add(String.valueOf(value).strip());
					}
					if (value != null && (!ELSEWHERE.matcher(uniform).matches()
							|| CONSUMERS.matcher(uniform + "=" + value).matches())) {
						kept.put(name, value);
					}
				}
				environment.getPropertySources()
					.replace(source.getName(), new MapPropertySource(source.getName(), kept));
			}
		}
		if (Binder.get(environment)
			.bind("rabbit-retry.message-policies", Bindable.mapOf(String.class, Object.class))
			.orElse(Map.of())
			.isEmpty()) {
			throw new ServiceException(ExitCode.USAGE,
					"%s: rabbit-retry.message-policies is not set, so that there is nothing to look at."
						.formatted(files));
		}
	}

}
