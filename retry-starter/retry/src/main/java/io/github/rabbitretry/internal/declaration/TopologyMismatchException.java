/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.declaration;

import java.util.List;
import java.util.stream.Collectors;

import io.github.rabbitretry.internal.broker.TopologyProblem;

/**
 * Queues and exchanges are not what the message policies need. It fails startup.
 */
public final class TopologyMismatchException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final String summary;

	private final transient List<TopologyProblem> problems;

	private final transient List<String> names;

	private TopologyMismatchException(String summary, List<TopologyProblem> problems, OtherNames names) {
		super(problems.stream()
			.map((problem) -> "%s: %s".formatted(problem.what(), problem.problem()))
			.collect(Collectors.joining("; ")));
		this.summary = summary;
		this.problems = List.copyOf(problems);
		this.names = names.of(problems);
	}

	/** The broker has others. */
	static TopologyMismatchException ofBroker(List<TopologyProblem> problems, OtherNames names) {
		return new TopologyMismatchException("The broker's queues and exchanges are not what the message policies need",
				problems, names);
	}

	/** The application declares others. Found before anything connects to the broker. */
	static TopologyMismatchException ofApplication(List<TopologyProblem> problems, OtherNames names) {
		return new TopologyMismatchException(
				"The application declares queues or exchanges in another way than its message policies do", problems,
				names);
	}

	/**
	 * What the problems have in common.
	 * @return a sentence without its full stop
	 */
	public String summary() {
		return this.summary;
	}

	/**
	 * What is wrong.
	 * @return at least one problem
	 */
	public List<TopologyProblem> problems() {
		return this.problems;
	}

	/**
	 * Names for what others have in another way.
	 * @return lines of configuration
	 */
	public List<String> names() {
		return this.names;
	}

}
