/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.classify;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;

/**
 * The rules of the configuration. The first rule that matches wins; a rule matches if the
 * failure or one of its causes is of the rule's type, at any depth up to 32.
 */
public final class ClassificationRules implements FailureClassifier {

	private final List<Checked> rules;

	private ClassificationRules(List<Checked> rules) {
		this.rules = List.copyOf(rules);
	}

	/**
	 * Checks rules and makes a classifier of them.
	 * @param rules the rules as configured, in order
	 * @param classLoader what loads the exception classes
	 * @return the classifier
	 * @throws InvalidClassificationRuleException if a part of a rule is missing, the
	 * reason is malformed, the class can't be loaded or can't be thrown, or an earlier
	 * rule matches whatever the rule would match
	 */
	public static ClassificationRules of(List<ClassificationRule> rules, @Nullable ClassLoader classLoader) {
		List<Checked> checked = new ArrayList<>();
		for (int index = 0; index < rules.size(); index++) {
			Checked rule = check(index, rules.get(index), classLoader);
			rejectIfShadowed(rule, checked);
			checked.add(rule);
		}
		return new ClassificationRules(checked);
	}

	@Override
	public Optional<FailureClassification> classify(Throwable failure, FailedDelivery delivery) {
		if (this.rules.isEmpty()) {
			return Optional.empty();
		}
		List<Throwable> chain = CauseChain.of(failure);
		return this.rules.stream()
			.filter((rule) -> chain.stream().anyMatch(rule.type::isInstance))
			.map(Checked::verdict)
			.findFirst();
	}

	private static Checked check(int index, ClassificationRule rule, @Nullable ClassLoader classLoader) {
		Class<?> type = type(index, present(index, "exception", rule.exception()), classLoader);
		@Nullable FailureClass failureClass = rule.failureClass();
		if (failureClass == null) {
			throw missing(index, "failure-class");
		}
		String reason = present(index, "reason", rule.reason());
		try {
			return new Checked(index, type, FailureClassification.of(failureClass, reason));
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidClassificationRuleException(index, "reason", reason,
					"is not a reason: it must be 1 to 64 upper case letters, digits or underscores, starting with a letter",
					"Write it like QUOTE_EXPIRED.");
		}
	}

	private static Class<?> type(int index, String name, @Nullable ClassLoader classLoader) {
		Class<?> type = load(index, name, classLoader);
		if (!Throwable.class.isAssignableFrom(type) && !type.isInterface()) {
			throw new InvalidClassificationRuleException(index, "exception", name,
					"is neither a Throwable nor an interface, so that no failure can be one",
					"Name an exception class, or an interface that exceptions implement.");
		}
		return type;
	}

	private static Class<?> load(int index, String name, @Nullable ClassLoader classLoader) {
		try {
			return ClassUtils.forName(name, classLoader);
		}
		catch (ClassNotFoundException | LinkageError ex) {
			throw new InvalidClassificationRuleException(index, "exception", name,
					"can't be loaded (%s)".formatted(ex.getClass().getSimpleName()),
					"Correct the fully qualified class name, add the library that has the class, or remove the rule.");
		}
	}

	private static void rejectIfShadowed(Checked rule, List<Checked> earlier) {
		for (Checked other : earlier) {
			if (other.type.isAssignableFrom(rule.type)) {
				throw new InvalidClassificationRuleException(rule.index, "exception", rule.type.getName(),
						"can never match: rules[%d] (%s) comes first and matches every such failure"
							.formatted(other.index, other.type.getName()),
						(other.type == rule.type) ? "Remove one of the two rules."
								: "Move the rule above rules[%d], or remove it.".formatted(other.index));
			}
		}
	}

	private static String present(int index, String key, @Nullable String value) {
		if (value == null || value.isBlank()) {
			throw missing(index, key);
		}
		return value.trim();
	}

	private static InvalidClassificationRuleException missing(int index, String key) {
		return new InvalidClassificationRuleException(index, key, "",
				"is missing: a rule needs exception, failure-class and reason", "Add it, or remove the rule.");
	}

	private record Checked(int index, Class<?> type, FailureClassification verdict) {
	}

}
