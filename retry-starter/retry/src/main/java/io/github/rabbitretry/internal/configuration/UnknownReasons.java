/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.configuration;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

import io.github.rabbitretry.classify.Reasons;
import io.github.rabbitretry.internal.classify.ClassificationRule;
import io.github.rabbitretry.internal.policy.MessagePolicies;

import org.springframework.util.ReflectionUtils;

/**
 * Warns of reasons in {@code park-on} and {@code discard-on} that no failure ever has. A
 * handler or a classifier of the application may produce any, so that this is all that
 * can be done.
 */
final class UnknownReasons {

	/** Why messages are parked that are not classified, or after all classification. */
	private static final Set<String> DECIDED_LATER = Set.of(Reasons.RETRY_BUDGET_EXHAUSTED, Reasons.RETRY_AGE_EXCEEDED,
			Reasons.DELIVERY_LIMIT, Reasons.REJECTED, Reasons.QUEUE_OVERFLOW, Reasons.EXPIRED,
			Reasons.HEADERS_TOO_LARGE, Reasons.UNPUBLISHABLE, Reasons.UNREADABLE, Reasons.EVENT_CONVERSION_FAILED);

	private final Set<String> produced = new HashSet<>();

	private final boolean classifiers;

	UnknownReasons(Collection<ClassificationRule> rules, boolean classifiers) {
		this.classifiers = classifiers;
		builtIn().stream().filter((reason) -> !DECIDED_LATER.contains(reason)).forEach(this.produced::add);
		rules.stream().map(ClassificationRule::reason).forEach(this.produced::add);
	}

	void warn(MessagePolicies policies) {
		policies.all().forEach((policy) -> {
			String prefix = "rabbit-retry.message-policies." + policy.messageType() + ".";
			warn(prefix + "park-on", policy.parkOn());
			warn(prefix + "discard-on", policy.discardOn());
			warn(prefix + "outage.reasons", (policy.outage() != null) ? policy.outage().reasons() : Set.of());
		});
	}

	private void warn(String property, Set<String> reasons) {
		reasons.stream().sorted().filter((reason) -> !this.produced.contains(reason)).forEach((reason) -> {
			if (DECIDED_LATER.contains(reason)) {
				ConfigurationWarning.log(property, reason,
						"is a reason that messages are parked for, never the reason of a failure: it has no effect here",
						"Remove it.");
			}
			else if (!this.classifiers || Suggestion.of(reason, this.produced).isPresent()) {
				ConfigurationWarning.log(property, reason,
						"is neither a built-in reason nor that of a classification rule: it has no effect unless a handler or classifier of yours produces it",
						Suggestion.of(reason, this.produced)
							.map("Did you mean %s?"::formatted)
							.orElse("Correct it, or add a rule that has this reason."));
			}
		});
	}

	private static Set<String> builtIn() {
		Set<String> reasons = new HashSet<>();
		Arrays.stream(Reasons.class.getFields())
			.filter((field) -> Modifier.isStatic(field.getModifiers()) && field.getType() == String.class)
			.map(UnknownReasons::value)
			.forEach(reasons::add);
		return reasons;
	}

	private static String value(Field field) {
		return String.valueOf(ReflectionUtils.getField(field, null));
	}

}
