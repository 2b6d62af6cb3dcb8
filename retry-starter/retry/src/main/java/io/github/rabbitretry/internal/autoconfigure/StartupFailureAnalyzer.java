/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.rabbitretry.internal.broker.TopologyProblem;
import io.github.rabbitretry.internal.classify.CauseChain;
import io.github.rabbitretry.internal.container.UnsupportedListenerException;
import io.github.rabbitretry.internal.declaration.TopologyMismatchException;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.UnsatisfiedDependencyException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Explains what fails startup beside an invalid configuration, before Spring Boot does so
 * in terms of our beans.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class StartupFailureAnalyzer implements FailureAnalyzer {

	@Override
	public @Nullable FailureAnalysis analyze(Throwable failure) {
		return Stream
			.of(CauseChain.find(failure, TopologyMismatchException.class).map(StartupFailureAnalyzer::topology),
					CauseChain.find(failure, UnsupportedListenerException.class)
						.map((listener) -> new FailureAnalysis(listener.problem(), listener.remedy(), listener)),
					CauseChain.find(failure, UnsatisfiedDependencyException.class)
						.flatMap(StartupFailureAnalyzer::noPrimaryConnection))
			.flatMap(Optional::stream)
			.findFirst()
			.orElse(null);
	}

	private static FailureAnalysis topology(TopologyMismatchException mismatch) {
		String description = mismatch.problems()
			.stream()
			.map((problem) -> "    %s: %s".formatted(problem.what(), problem.problem()))
			.collect(Collectors.joining("%n".formatted(), "%s:%n%n".formatted(mismatch.summary()), ""));
		String names = mismatch.names().isEmpty() ? ""
				: mismatch.names()
					.stream()
					.collect(Collectors.joining("%n".formatted(),
							"If they are another's, have Rabbit Retry use other names:%n%n".formatted(),
							"%n%nOtherwise:%n%n".formatted()));
		String action = mismatch.problems()
			.stream()
			.map(TopologyProblem::remedy)
			.distinct()
			.collect(Collectors.joining("%n".formatted()));
		return new FailureAnalysis(description, names + action, mismatch);
	}

	private static Optional<FailureAnalysis> noPrimaryConnection(UnsatisfiedDependencyException unsatisfied) {
		return CauseChain.find(unsatisfied, NoUniqueBeanDefinitionException.class)
			.filter((cause) -> Objects.equals(cause.getBeanType(), ConnectionFactory.class)
					&& String.valueOf(unsatisfied.getBeanName()).startsWith("rabbitRetry"))
			.map((cause) -> new FailureAnalysis(
					"There are several connection factories (%s), and none is primary. Retries follow their listeners' own; the ledger and replays ('%s') need to know which one leads to their parking lots."
						.formatted(
								String.join(", ",
										(cause.getBeanNamesFound() != null) ? cause.getBeanNamesFound() : List.of()),
								unsatisfied.getBeanName()),
					"Annotate the connection factory of the ledger's parking lots with @Primary, or set rabbit-retry.ledger.enabled to false.",
					cause));
	}

}
