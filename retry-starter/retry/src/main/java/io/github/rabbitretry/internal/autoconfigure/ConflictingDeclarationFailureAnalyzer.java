/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.util.stream.Collectors;

import io.github.rabbitretry.internal.declaration.ConflictingDeclarationException;
import io.github.rabbitretry.internal.declaration.TopologyProblem;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Explains an application that declares a queue in two ways.
 */
final class ConflictingDeclarationFailureAnalyzer extends AbstractFailureAnalyzer<ConflictingDeclarationException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, ConflictingDeclarationException cause) {
		String description = cause.problems()
			.stream()
			.map((problem) -> "    %s: %s".formatted(problem.what(), problem.problem()))
			.collect(Collectors.joining("%n".formatted(),
					"The application declares queues or exchanges in another way than its message policies do:%n%n"
						.formatted(),
					""));
		String action = cause.problems()
			.stream()
			.map(TopologyProblem::remedy)
			.distinct()
			.collect(Collectors.joining("%n".formatted()));
		return new FailureAnalysis(description, action, cause);
	}

}
