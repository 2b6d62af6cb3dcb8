/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.declaration;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The application declares queues or exchanges in another way than its message policies.
 * Found before anything connects to the broker.
 */
public final class ConflictingDeclarationException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final transient List<TopologyProblem> problems;

	ConflictingDeclarationException(List<TopologyProblem> problems) {
		super(problems.stream()
			.map((problem) -> "%s: %s".formatted(problem.what(), problem.problem()))
			.collect(Collectors.joining("; ")));
		this.problems = List.copyOf(problems);
	}

	public List<TopologyProblem> problems() {
		return this.problems;
	}

}
