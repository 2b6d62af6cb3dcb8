/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.UnsatisfiedDependencyException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Explains several connection factories of which none is primary, before Spring Boot does
 * so in terms of our beans.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class NoPrimaryConnectionFailureAnalyzer extends AbstractFailureAnalyzer<NoUniqueBeanDefinitionException> {

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, NoUniqueBeanDefinitionException cause) {
		UnsatisfiedDependencyException unsatisfied = findCause(rootFailure, UnsatisfiedDependencyException.class);
		if (!Objects.equals(cause.getBeanType(), ConnectionFactory.class) || unsatisfied == null
				|| !String.valueOf(unsatisfied.getBeanName()).startsWith("rabbitRetry")) {
			return null;
		}
		List<String> names = (cause.getBeanNamesFound() != null) ? List.copyOf(cause.getBeanNamesFound()) : List.of();
		return new FailureAnalysis(
				"There are several connection factories (%s), and none is primary. Retries follow their listeners' own; the ledger and replays ('%s') need to know which one leads to their parking lots."
					.formatted(String.join(", ", names), unsatisfied.getBeanName()),
				"Annotate the connection factory of the ledger's parking lots with @Primary, or set rabbit-retry.ledger.enabled to false.",
				cause);
	}

}
