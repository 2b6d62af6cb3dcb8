/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.direct;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import io.github.rabbitretry.cli.service.ExitCode;
import io.github.rabbitretry.cli.service.ServiceException;
import io.github.rabbitretry.internal.configuration.PolicyAssembler;
import io.github.rabbitretry.internal.configuration.RabbitRetryProperties;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.simulation.PolicySimulator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.context.config.ConfigDataEnvironmentPostProcessor;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;

/**
 * The message policies of a configuration, checked as a start of the service would.
 * Nothing is started.
 */
public final class ConfiguredPolicies {

	/** What policies do not depend on. */
	private static final Pattern ELSEWHERE = Pattern
		.compile("rabbitretry\\.(ledger|replay|topology|classification|broker\\.management)\\W?.*"
				+ "|rabbitretry\\.(defaults|messagepolicies\\W.+)\\.deduplication\\..*");

	private final MessagePolicies policies;

	private ConfiguredPolicies(ConfigurableEnvironment environment) {
		this.policies = new PolicyAssembler(RabbitRetryProperties.bind(environment), environment).assemble();
	}

	/**
	 * Reads a configuration.
	 * @param files the configuration, of several files the later ones are stronger
	 * @return its policies
	 * @throws ServiceException if the configuration is not valid
	 */
	public static ConfiguredPolicies read(List<Path> files) {
		ConfigurableEnvironment environment = new StandardEnvironment();
		environment.getPropertySources()
			.addFirst(new MapPropertySource("files",
					Map.of("spring.config.location", DirectApplication.locations(files))));
		try {
			ConfigDataEnvironmentPostProcessor.applyTo(environment);
			keep(environment);
			return new ConfiguredPolicies(environment);
		}
		catch (RuntimeException ex) {
			throw DirectApplication.refused(ex);
		}
	}

	private static void keep(ConfigurableEnvironment environment) {
		for (PropertySource<?> source : environment.getPropertySources().stream().toList()) {
			if (source instanceof MapPropertySource known && source.getName().startsWith("Config resource")) {
				environment.getPropertySources()
					.replace(source.getName(), Placeholders.only(known,
							(name) -> !ELSEWHERE.matcher(Placeholders.uniform(name)).matches()));
			}
		}
		DirectApplication.requirePolicies(environment);
	}

	/**
	 * The policies that there are.
	 * @return their names
	 */
	public List<String> messageTypes() {
		return this.policies.all().stream().map(MessagePolicy::messageType).toList();
	}

	/**
	 * Simulates a policy.
	 * @param messageType its name
	 * @param arguments what happens, by name
	 * @return what becomes of the messages
	 * @throws ServiceException if there is no such policy, or that can't be simulated
	 */
	public JsonNode simulate(String messageType, Map<String, String> arguments) {
		MessagePolicy policy = this.policies.all()
			.stream()
			.filter((known) -> known.messageType().equals(messageType))
			.findFirst()
			.orElseThrow(() -> new ServiceException(ExitCode.NOT_FOUND, "There is no message policy '%s'; there are %s."
				.formatted(messageType, String.join(", ", messageTypes()))));
		try {
			return JsonMapper.shared()
				.valueToTree(new PolicySimulator().simulate(policy, new SimulationArguments(arguments).load()));
		}
		catch (IllegalArgumentException ex) {
			throw new ServiceException(ExitCode.REFUSED, String.valueOf(ex.getMessage()));
		}
	}

}
