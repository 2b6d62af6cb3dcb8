/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.brokerpolicy;

import java.util.List;

/**
 * Policies of the broker would lose messages of our queues.
 */
public final class UnsafeBrokerPolicyException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final List<String> problems;

	private final List<String> commands;

	UnsafeBrokerPolicyException(List<String> problems, List<String> commands) {
		super("Broker policies would lose messages: " + String.join("; ", problems));
		this.problems = List.copyOf(problems);
		this.commands = List.copyOf(commands);
	}

	/**
	 * What is wrong.
	 * @return a line for each policy, key and consequence, with the queues
	 */
	public List<String> problems() {
		return this.problems;
	}

	/**
	 * What helps.
	 * @return commands for a shell that displace the policies for our queues
	 */
	public List<String> commands() {
		return this.commands;
	}

}
