/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.classify;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

import io.github.rabbitretry.classify.FailedDelivery;
import io.github.rabbitretry.classify.FailureClassification;
import io.github.rabbitretry.classify.FailureClassifier;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import org.jspecify.annotations.Nullable;

/**
 * The rules of the configuration. A rule matches if all its conditions hold; those on the
 * exception may hold for the failure itself or for any of its causes, up to a depth of
 * 32, and not all for the same one. The first active rule that matches wins.
 */
public final class ClassificationRules implements FailureClassifier {

	/** The header with the schema version, unless another is configured. */
	public static final String SCHEMA_VERSION_HEADER = "x-schema-version";

	private final List<Rule> rules;

	private final String schemaVersionHeader;

	private ClassificationRules(List<Rule> rules, String schemaVersionHeader) {
		this.rules = List.copyOf(rules);
		this.schemaVersionHeader = schemaVersionHeader;
	}

	/**
	 * Checks rules that name no message type, and makes a classifier of them.
	 * @param rules the rules as configured, in order
	 * @param classLoader what loads the exception classes
	 * @return the classifier
	 * @throws InvalidConfigurationException as the other method does
	 */
	public static ClassificationRules of(List<ClassificationRule> rules, @Nullable ClassLoader classLoader) {
		return of(rules, classLoader, List.of(), SCHEMA_VERSION_HEADER);
	}

	/**
	 * Checks rules and makes a classifier of them.
	 * @param rules the rules as configured, in order
	 * @param classLoader what loads the exception classes
	 * @param messageTypes the names of all message policies
	 * @param schemaVersionHeader the header with a message's schema version
	 * @return the classifier
	 * @throws InvalidConfigurationException if a part of a rule is missing or malformed,
	 * parts contradict each other, the class can't be loaded or can't be thrown, a
	 * message type has no policy, or an earlier active rule matches whatever the rule
	 * would match
	 */
	public static ClassificationRules of(List<ClassificationRule> rules, @Nullable ClassLoader classLoader,
			Collection<String> messageTypes, String schemaVersionHeader) {
		List<Rule> checked = new ArrayList<>();
		for (int index = 0; index < rules.size(); index++) {
			checked.add(new RuleReader(index, rules.get(index), classLoader, messageTypes).read(checked));
		}
		return new ClassificationRules(checked, schemaVersionHeader);
	}

	@Override
	public Optional<FailureClassification> classify(Throwable failure, FailedDelivery delivery) {
		List<ClassificationStep> opinions = new ArrayList<>();
		ask(failure, delivery, opinions);
		return new ClassificationResult(Classifications.UNKNOWN, opinions).answer()
			.map(ClassificationStep::classification);
	}

	void ask(Throwable failure, FailedDelivery delivery, List<ClassificationStep> opinions) {
		if (this.rules.isEmpty()) {
			return;
		}
		FailureFacts facts = new FailureFacts(failure, delivery, this.schemaVersionHeader);
		for (Rule rule : this.rules) {
			ClassificationStep step = rule.step(facts);
			opinions.add(step);
			if (step.outcome() == ClassificationStep.Outcome.CLASSIFIED) {
				return;
			}
		}
	}

	void count(ClassificationResult result) {
		for (ClassificationStep step : result.opinions()) {
			@Nullable Integer index = step.rule();
			if (index != null && step.outcome() != ClassificationStep.Outcome.PASSED_OVER) {
				this.rules.get(index).hits().increment();
			}
		}
	}

	String schemaVersionHeader() {
		return this.schemaVersionHeader;
	}

	List<Effective> inForce() {
		return this.rules.stream()
			.map((rule) -> new Effective(rule.index(), rule.text(), rule.classification(),
					rule.shadow() ? ClassificationRule.Mode.SHADOW : ClassificationRule.Mode.ACTIVE, rule.hits().sum()))
			.toList();
	}

	/**
	 * A rule as it applies.
	 *
	 * @param index its place in the configuration, from 0
	 * @param conditions what has to hold,
	 * {@code exception java.io.IOException, http-status
	 * [500-599]}
	 * @param classification what the failure then is
	 * @param mode whether it decides
	 * @param hits the deliveries since the start that it decided or, as a shadow, would
	 * have
	 */
	public record Effective(int index, String conditions, FailureClassification classification,
			ClassificationRule.Mode mode, long hits) {
	}

}
