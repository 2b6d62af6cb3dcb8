/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.doctor;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import io.github.rabbitretry.internal.brokerpolicy.NamePattern;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.topology.DelayLadder;

/**
 * Patterns of permissions. RabbitMQ 4.3 refuses those of more than 1024 bytes, 4.0 takes
 * any.
 */
final class PermissionPattern {

	/** Matches no name. */
	static final String NOTHING = "^$";

	private static final int LONGEST = 1024;

	private PermissionPattern() {
	}

	/**
	 * A pattern for names: exactly these if that is short enough, else whatever begins
	 * with a work queue's name and a dot, or with the ladder's.
	 * @param names the names
	 * @param policies whose they are
	 * @return a regular expression
	 */
	static String of(Set<String> names, MessagePolicies policies) {
		if (names.isEmpty()) {
			return NOTHING;
		}
		String exact = NamePattern.of(List.copyOf(names));
		if (fits(exact)) {
			return exact;
		}
		return names.stream()
			.map((name) -> general(name, policies.all()))
			.distinct()
			.collect(Collectors.joining("|", "^(", ")$"));
	}

	private static String general(String name, Collection<MessagePolicy> policies) {
		if (DelayLadder.hasExchange(name)) {
			return literal(DelayLadder.NAME) + "(\\..*)?";
		}
		return policies.stream()
			.map(MessagePolicy::queue)
			.filter((queue) -> name.equals(queue) || name.startsWith(queue + "."))
			.findFirst()
			.map((queue) -> literal(queue) + "(\\..*)?")
			.orElseGet(() -> literal(name));
	}

	private static String literal(String name) {
		String pattern = NamePattern.of(List.of(name));
		return pattern.substring(1, pattern.length() - 1);
	}

	static boolean fits(String pattern) {
		return pattern.getBytes(StandardCharsets.UTF_8).length <= LONGEST;
	}

}
