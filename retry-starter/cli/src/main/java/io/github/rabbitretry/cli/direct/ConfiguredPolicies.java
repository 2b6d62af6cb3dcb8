/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.direct;

import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

import io.github.rabbitretry.cli.service.ExitCode;
import io.github.rabbitretry.cli.service.ServiceException;
import io.github.rabbitretry.explain.Explanation;
import io.github.rabbitretry.explain.FailedMessage;
import io.github.rabbitretry.internal.explain.ConfiguredExplainer;
import io.github.rabbitretry.internal.explain.DefaultRetryExplainer;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.simulation.PolicySimulator;
import io.github.rabbitretry.simulation.Simulation;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.context.config.ConfigDataEnvironmentPostProcessor;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;

/**
 * The message policies and rules of a configuration, checked as a start of the service
 * would. Nothing is started.
 */
public final class ConfiguredPolicies {

	/** What policies and rules do not depend on. */
	private static final Pattern ELSEWHERE = Pattern
		.compile("rabbitretry\\.(ledger|replay|scan|topology|broker\\.management)\\W?.*"
				+ "|rabbitretry\\.(defaults|messagepolicies\\W.+)\\.deduplication\\..*");

	private static final Pattern RULE = Pattern.compile("rabbitretry\\.classification\\.rules\\[\\d+]\\.exception");

	private final ConfigurableEnvironment environment;

	private final MissingExceptions exceptions;

	private final DefaultRetryExplainer explainer;

	private ConfiguredPolicies(ConfigurableEnvironment environment, MissingExceptions exceptions) {
		this.environment = environment;
		this.exceptions = exceptions;
		this.explainer = ConfiguredExplainer.of(environment, List.of(), exceptions, Clock.systemUTC());
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
		MissingExceptions exceptions = new MissingExceptions();
		try {
			ConfigDataEnvironmentPostProcessor.applyTo(environment);
			keep(environment, exceptions);
			return new ConfiguredPolicies(environment, exceptions);
		}
		catch (RuntimeException ex) {
			throw DirectApplication.refused(ex);
		}
	}

	private static void keep(ConfigurableEnvironment environment, MissingExceptions exceptions) {
		for (PropertySource<?> source : environment.getPropertySources().stream().toList()) {
			if (source instanceof MapPropertySource known && source.getName().startsWith("Config resource")) {
				for (String name : known.getPropertyNames()) {
					if (RULE.matcher(Placeholders.uniform(name)).matches()) {
						exceptions.add(String.valueOf(known.getProperty(name)).strip());
					}
				}
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
		return this.explainer.messageTypes();
	}

	/**
	 * Simulates a policy.
	 * @param messageType its name
	 * @param arguments what happens, by name
	 * @param configuration how to call this configuration, or {@code null}
	 * @return what becomes of the messages
	 * @throws ServiceException if there is no such policy, or that can't be simulated
	 */
	public JsonNode simulate(String messageType, Map<String, String> arguments, @Nullable String configuration) {
		MessagePolicy policy = this.explainer.policies()
			.all()
			.stream()
			.filter((known) -> known.messageType().equals(messageType))
			.findFirst()
			.orElseThrow(() -> new ServiceException(ExitCode.NOT_FOUND, "There is no message policy '%s'; there are %s."
				.formatted(messageType, String.join(", ", messageTypes()))));
		AssumedConsumers consumers = AssumedConsumers.of(this.environment);
		List<String> assumed = arguments.containsKey("concurrency") ? List.of() : List.of(consumers.sentence());
		try {
			Simulation simulation = new PolicySimulator().simulate(policy,
					SimulationArguments.read(arguments, consumers.number()));
			return JsonMapper.shared()
				.valueToTree(SimulationAnswer.of(configuration, simulation, policy.hours() != null, assumed));
		}
		catch (IllegalArgumentException ex) {
			throw new ServiceException(ExitCode.REFUSED, String.valueOf(ex.getMessage()));
		}
	}

	/**
	 * Explains what becomes of a message whose first delivery fails.
	 * @param messageType its type
	 * @param exception the name of what is thrown, a class of the service's own perhaps
	 * @return the explanation, or empty if there is no such policy or exception
	 */
	Optional<Explanation> explain(String messageType, String exception) {
		return messageTypes().contains(messageType)
				? this.exceptions.make(exception)
					.map((failure) -> this.explainer.explain(new FailedMessage(messageType, failure)))
				: Optional.empty();
	}

}
