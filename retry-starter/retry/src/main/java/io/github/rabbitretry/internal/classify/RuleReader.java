/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.classify;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.regex.Pattern;

import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.classify.FailureClassification;
import io.github.rabbitretry.classify.Instruction;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;
import org.springframework.util.PatternMatchUtils;

/**
 * Checks one rule.
 */
final class RuleReader {

	private static final Pattern SQL_STATE = Pattern.compile("[0-9A-Z]{5}|[0-9A-Z]{1,4}\\*");

	private final int index;

	private final ClassificationRule rule;

	private final @Nullable ClassLoader classLoader;

	private final Collection<String> messageTypes;

	RuleReader(int index, ClassificationRule rule, @Nullable ClassLoader classLoader, Collection<String> messageTypes) {
		this.index = index;
		this.rule = rule;
		this.classLoader = classLoader;
		this.messageTypes = messageTypes;
	}

	Rule read(List<Rule> earlier) {
		List<RuleCondition> conditions = conditions();
		if (conditions.isEmpty()) {
			throw invalid("exception", "",
					"is missing: a rule needs a condition (exception, sql-state, http-status, message-type or schema-version)",
					"Add one, or remove the rule.");
		}
		@Nullable FailureClass failureClass = this.rule.failureClass();
		if (failureClass == null) {
			throw missing("failure-class");
		}
		FailureClassification classification = classification(failureClass, present("reason", this.rule.reason()),
				instruction());
		Rule checked = new Rule(this.index, conditions, classification,
				this.rule.mode() == ClassificationRule.Mode.SHADOW, new LongAdder());
		checked.shadowedBy(earlier).ifPresent((other) -> {
			throw shadowed(checked, other);
		});
		return checked;
	}

	private List<RuleCondition> conditions() {
		List<RuleCondition> conditions = new ArrayList<>();
		// what costs least to ask comes first
		add(conditions, "message-type", this.rule.messageType(), this::messageType,
				(facts) -> List.of(facts.messageType()), Set::contains);
		add(conditions, "schema-version", this.rule.schemaVersion(), Function.identity(), FailureFacts::schemaVersion,
				Set::contains);
		if (this.rule.exception() != null) {
			conditions.add(new RuleCondition.OfType(type(present("exception", this.rule.exception()))));
		}
		add(conditions, "sql-state", this.rule.sqlState(), this::sqlState, FailureFacts::sqlStates,
				(states, state) -> PatternMatchUtils.simpleMatch(states.toArray(String[]::new), state));
		add(conditions, "http-status", this.rule.httpStatus(), this::httpStatus, FailureFacts::httpStatuses,
				HttpStatusRange::cover);
		return conditions;
	}

	private <V> void add(List<RuleCondition> conditions, String key, @Nullable List<String> given,
			Function<String, V> read, Function<FailureFacts, List<V>> facts, BiPredicate<Set<V>, V> cover) {
		if (given == null) {
			return;
		}
		if (given.isEmpty()) {
			throw invalid(key, "[]", "must have at least one value, or the rule can never match",
					"Add one, or leave the key out.");
		}
		Set<V> values = new LinkedHashSet<>();
		given.forEach((text) -> values.add(read.apply(present(key, text))));
		conditions.add(new RuleCondition.OfValues<>(key, values, facts, cover));
	}

	private String messageType(String name) {
		if (!this.messageTypes.contains(name)) {
			throw invalid("message-type", name, "is no message policy, so that no message can be one",
					this.messageTypes.isEmpty() ? "Add the policy, or remove the rule."
							: "Write one of %s.".formatted(String.join(", ", this.messageTypes)));
		}
		return name;
	}

	private String sqlState(String text) {
		String state = text.toUpperCase(Locale.ROOT);
		if (!SQL_STATE.matcher(state).matches()) {
			throw invalid("sql-state", text,
					"must be five letters or digits, or one to four and an asterisk, as every SQLState has five",
					"Write \"40001\" or \"40*\", in quotes: YAML takes 01007 for a number.");
		}
		return state;
	}

	private HttpStatusRange httpStatus(String text) {
		return HttpStatusRange.parse(text)
			.orElseThrow(() -> invalid("http-status", text,
					"must be a status from 100 to 599 or a range of them, lowest first", "Write 503, 5xx or 500-599."));
	}

	private Class<?> type(String name) {
		Class<?> type = load(name);
		if (!Throwable.class.isAssignableFrom(type) && !type.isInterface()) {
			throw invalid("exception", name, "is neither a Throwable nor an interface, so that no failure can be one",
					"Name an exception class, or an interface that exceptions implement.");
		}
		return type;
	}

	private Class<?> load(String name) {
		try {
			return ClassUtils.forName(name, this.classLoader);
		}
		catch (ClassNotFoundException | LinkageError ex) {
			throw invalid("exception", name, "can't be loaded (%s)".formatted(ex.getClass().getSimpleName()),
					"Correct the fully qualified class name, add the library that has the class, or remove the rule.");
		}
	}

	private @Nullable Instruction instruction() {
		ClassificationRule.@Nullable Action action = this.rule.action();
		@Nullable Duration delay = this.rule.delay();
		if (delay == null) {
			return (action == null) ? null : switch (action) {
				case RETRY -> new Instruction.Retry();
				case PARK -> new Instruction.Park();
				case DISCARD -> new Instruction.Discard();
			};
		}
		if (action != null && action != ClassificationRule.Action.RETRY) {
			throw invalid("delay", delay.toString(),
					"needs action retry, not %s: only a retry waits".formatted(action.name().toLowerCase(Locale.ROOT)),
					"Remove the delay, or set action to retry.");
		}
		if (delay.compareTo(Duration.ofMillis(1)) < 0 || delay.compareTo(FailureClassification.LONGEST_DELAY) > 0) {
			throw invalid("delay", delay.toString(),
					"must be at least 1ms and at most " + FailureClassification.LONGEST_DELAY,
					"Write 30s, 5m or 2h; for longer waits a scheduler is the better place.");
		}
		return new Instruction.RetryAfter(delay);
	}

	private FailureClassification classification(FailureClass failureClass, String reason,
			@Nullable Instruction instruction) {
		try {
			return new FailureClassification(failureClass, reason, null, instruction);
		}
		catch (IllegalArgumentException ex) {
			throw invalid("reason", reason,
					"is not a reason: it must be 1 to 64 upper case letters, digits or underscores, starting with a letter",
					"Write it like QUOTE_EXPIRED.");
		}
	}

	private InvalidConfigurationException shadowed(Rule checked, Rule other) {
		RuleCondition first = checked.conditions().get(0);
		String key = first.toString().substring(0, first.toString().indexOf(' '));
		String value = first.toString().substring(key.length() + 1);
		return invalid(key, value,
				"can never match: rules[%s] (%s) comes first and matches every such failure".formatted(other.index(),
						other.text()),
				other.text().equals(checked.text()) ? "Remove one of the two rules."
						: "Move the rule above rules[%s], or remove it.".formatted(other.index()));
	}

	private String present(String key, @Nullable String value) {
		if (value == null || value.isBlank()) {
			throw missing(key);
		}
		return value.trim();
	}

	private InvalidConfigurationException missing(String key) {
		return invalid(key, "", "is missing: a rule needs a condition, failure-class and reason",
				"Add it, or remove the rule.");
	}

	private InvalidConfigurationException invalid(String key, String value, String relation, String remedy) {
		return new InvalidConfigurationException("rabbit-retry.classification.rules[%s].%s".formatted(this.index, key),
				value, relation, remedy);
	}

}
