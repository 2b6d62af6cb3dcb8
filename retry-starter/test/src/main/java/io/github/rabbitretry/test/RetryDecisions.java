/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.test;

import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

import io.github.rabbitretry.classify.FailureClassifier;
import io.github.rabbitretry.explain.FailedMessage;
import io.github.rabbitretry.explain.RetryExplainer;
import io.github.rabbitretry.internal.explain.DefaultRetryExplainer;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.simulation.PolicySimulator;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import io.github.rabbitretry.simulation.SimulatedLoad;
import io.github.rabbitretry.simulation.Simulation;

import org.springframework.boot.context.config.ConfigDataEnvironmentPostProcessor;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.context.ApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.ClassPathResource;

/**
 * Tests what an application's configuration decides about failures, without a broker and
 * without starting the application. Decisions are made by the starter's own classes, with
 * the configuration as the application would read it. A configuration that would fail
 * startup fails the test with the same message.
 */
public final class RetryDecisions {

	private final RetryExplainer explainer;

	private final MessagePolicies policies;

	private RetryDecisions(RetryExplainer explainer, MessagePolicies policies) {
		this.explainer = explainer;
		this.policies = policies;
	}

	/**
	 * Reads {@code application.yml}, {@code application.properties} and those of profiles
	 * as Spring Boot does at startup.
	 * @param classifiers the application's classifiers, in the order of their beans
	 * @return the decisions
	 * @throws InvalidConfigurationException if the configuration would fail startup
	 */
	public static RetryDecisions ofApplication(FailureClassifier... classifiers) {
		ConfigurableEnvironment environment = new StandardEnvironment();
		ConfigDataEnvironmentPostProcessor.applyTo(environment);
		return of(environment, classifiers);
	}

	/**
	 * Reads a single YAML file.
	 * @param classPathResource its location on the class path, such as
	 * {@code application.yml}
	 * @param classifiers the application's classifiers, in the order of their beans
	 * @return the decisions
	 * @throws InvalidConfigurationException if the configuration would fail startup
	 * @throws IllegalArgumentException if the file cannot be read
	 */
	public static RetryDecisions ofYaml(String classPathResource, FailureClassifier... classifiers) {
		ClassPathResource resource = new ClassPathResource(classPathResource);
		StandardEnvironment environment = new StandardEnvironment();
		if (!resource.exists()) {
			throw new IllegalArgumentException("'%s' is not on the class path".formatted(classPathResource));
		}
		try {
			List<PropertySource<?>> documents = new YamlPropertySourceLoader().load(classPathResource, resource);
			// a later document overrides an earlier one
			documents.forEach(environment.getPropertySources()::addFirst);
		}
		catch (IOException ex) {
			throw new IllegalArgumentException("'%s' can't be read from the class path".formatted(classPathResource),
					ex);
		}
		return of(environment, classifiers);
	}

	/**
	 * Reads an environment.
	 * @param environment the environment with the properties below {@code rabbit-retry}
	 * @param classifiers the application's classifiers, in the order of their beans
	 * @return the decisions
	 * @throws InvalidConfigurationException if the configuration would fail startup
	 */
	public static RetryDecisions of(Environment environment, FailureClassifier... classifiers) {
		DefaultRetryExplainer explainer = DefaultRetryExplainer.of(environment, List.of(classifiers),
				Thread.currentThread().getContextClassLoader(), Clock.systemUTC());
		return new RetryDecisions(explainer, explainer.policies());
	}

	/**
	 * Uses the decisions of a running application, including its own classifiers.
	 * @param context the application
	 * @return the decisions
	 * @throws org.springframework.beans.factory.NoSuchBeanDefinitionException if the
	 * application has no message policy
	 */
	public static RetryDecisions of(ApplicationContext context) {
		return new RetryDecisions(context.getBean(RetryExplainer.class), context.getBean(MessagePolicies.class));
	}

	/**
	 * Selects a message type.
	 * @param messageType the policy's name
	 * @return the type
	 * @throws IllegalArgumentException if there is no such policy
	 */
	public MessageType of(String messageType) {
		List<String> known = new ArrayList<>(this.explainer.messageTypes());
		if (!known.contains(messageType)) {
			throw new IllegalArgumentException(
					"There is no message policy '%s'; there are %s.".formatted(messageType, String.join(", ", known)));
		}
		return new MessageType(messageType);
	}

	/**
	 * A message type.
	 */
	public final class MessageType {

		private final String name;

		private MessageType(String name) {
			this.name = name;
		}

		/**
		 * Creates a message of this type whose first delivery fails.
		 * @param failure the exception that the listener throws
		 * @return the message
		 */
		public FailingMessage failing(Throwable failure) {
			return new FailingMessage(RetryDecisions.this.explainer, new FailedMessage(this.name, failure));
		}

		/**
		 * Simulates, on a virtual clock, what happens to many messages of this type while
		 * a service that their handlers call is down.
		 * @param load the messages and the outage
		 * @return the result
		 * @throws IllegalArgumentException if the simulation would be too large or would
		 * never end
		 */
		public Simulation simulate(SimulatedLoad load) {
			return new PolicySimulator().simulate(policy(), load);
		}

		private MessagePolicy policy() {
			return RetryDecisions.this.policies.all()
				.stream()
				.filter((policy) -> policy.messageType().equals(this.name))
				.findFirst()
				.orElseThrow();
		}

	}

}
