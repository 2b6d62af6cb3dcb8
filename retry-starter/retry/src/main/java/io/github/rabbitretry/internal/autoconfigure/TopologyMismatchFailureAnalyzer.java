/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.util.stream.Collectors;

import io.github.rabbitretry.internal.declaration.TopologyMismatchException;
import io.github.rabbitretry.internal.broker.TopologyProblem;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Says of each queue and exchange what is wrong with it and what to do.
 */
final class TopologyMismatchFailureAnalyzer extends AbstractFailureAnalyzer<TopologyMismatchException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, TopologyMismatchException cause) {
		String description = cause.problems()
			.stream()
			.map((problem) -> "    %s: %s".formatted(problem.what(), problem.problem()))
			.collect(Collectors.joining("%n".formatted(), "%s:%n%n".formatted(cause.summary()), ""));
		String action = cause.problems()
			.stream()
			.map(TopologyProblem::remedy)
			.distinct()
			.collect(Collectors.joining("%n".formatted()));
		return new FailureAnalysis(description, names(cause) + action, cause);
	}

	private static String names(TopologyMismatchException cause) {
		return cause.names().isEmpty() ? ""
				: cause.names()
					.stream()
					.collect(Collectors.joining("%n".formatted(),
							"If they are another's, have Rabbit Retry use other names:%n%n".formatted(),
							"%n%nOtherwise:%n%n".formatted()));
	}

}
