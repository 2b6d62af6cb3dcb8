/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.declaration;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The broker's topology is not what the policies need. It fails startup.
 */
public final class TopologyMismatchException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final transient List<TopologyProblem> problems;

	TopologyMismatchException(List<TopologyProblem> problems) {
		super(problems.stream()
			.map((problem) -> "%s: %s".formatted(problem.what(), problem.problem()))
			.collect(Collectors.joining("; ")));
		this.problems = List.copyOf(problems);
	}

	public List<TopologyProblem> problems() {
		return this.problems;
	}

}
