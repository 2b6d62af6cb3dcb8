/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.brokerpolicy;

import java.util.List;

import io.github.rabbitretry.internal.topology.InvalidConfigurationException;

/**
 * What policies do to our queues.
 *
 * @param effects everything worth knowing
 * @param tooSlow handlers that may take longer than the broker waits for them
 * @param unreadable policies of which it is not known what they match, in words
 */
record BrokerPolicyReport(List<PolicyEffect> effects, List<InvalidConfigurationException> tooSlow,
		List<String> unreadable) {

	private static final int MOST_NAMES = 5;

	BrokerPolicyReport {
		effects = List.copyOf(effects);
		tooSlow = List.copyOf(tooSlow);
		unreadable = List.copyOf(unreadable);
	}

	/**
	 * How much would lose messages.
	 * @return the number of keys, each counted for each queue
	 */
	long unsafeKeys() {
		return this.effects.stream().filter(PolicyEffect::unsafe).mapToLong((effect) -> effect.subjects().size()).sum();
	}

	/**
	 * The commands that protect the queues.
	 * @return lines for a shell
	 */
	List<String> commands() {
		return this.effects.stream()
			.filter(PolicyEffect::unsafe)
			.flatMap((effect) -> effect.commands().stream())
			.distinct()
			.toList();
	}

	/**
	 * The effects, in lines to be read.
	 * @param unsafe whether those that lose messages, or those that are good to know
	 * @return the lines
	 */
	List<String> lines(boolean unsafe) {
		return this.effects.stream()
			.filter((effect) -> effect.unsafe() == unsafe)
			.map((effect) -> "%s sets '%s' to '%s' for %s %s: %s".formatted(effect.policy(), effect.key(),
					effect.value(), effect.queue() ? "queue" : "exchange", some(effect.subjects()),
					effect.consequence()))
			.toList();
	}

	private static String some(List<String> names) {
		String some = "'" + String.join("', '", names.subList(0, Math.min(MOST_NAMES, names.size()))) + "'";
		return (names.size() <= MOST_NAMES) ? some : "%s and %s more".formatted(some, names.size() - MOST_NAMES);
	}

}
