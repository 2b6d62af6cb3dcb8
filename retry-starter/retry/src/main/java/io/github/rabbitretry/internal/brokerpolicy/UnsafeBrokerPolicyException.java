/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.brokerpolicy;

import java.util.List;

/**
 * Policies of the broker, or their absence, would lose messages of our queues.
 */
public final class UnsafeBrokerPolicyException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final List<String> problems;

	private final List<String> commands;

	private final boolean missing;

	UnsafeBrokerPolicyException(List<String> problems, List<String> commands, boolean missing) {
		super("Broker policies would lose messages: " + String.join("; ", problems));
		this.problems = List.copyOf(problems);
		this.commands = List.copyOf(commands);
		this.missing = missing;
	}

	/**
	 * Whether queues are declared with minimal arguments, and policies don't give the
	 * rest.
	 * @return {@code false} if policies override what queues declare
	 */
	public boolean missing() {
		return this.missing;
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
