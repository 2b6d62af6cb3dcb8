/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.actuate;

import java.util.List;

import io.github.rabbitretry.internal.health.HealthProblem;
import io.github.rabbitretry.internal.health.HealthSource;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * The health indicator {@code rabbitRetry}: {@code DOWN} while any part reports a
 * problem, with each problem's code, subject and cause as details.
 */
public final class RabbitRetryHealthIndicator extends AbstractHealthIndicator {

	private final List<HealthSource> sources;

	/**
	 * Creates the indicator.
	 * @param sources the parts that report problems
	 */
	public RabbitRetryHealthIndicator(List<HealthSource> sources) {
		super("The health of Rabbit Retry could not be determined");
		this.sources = List.copyOf(sources);
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		this.sources.forEach((source) -> builder.withDetails(source.details()));
		List<HealthProblem> problems = this.sources.stream().flatMap((source) -> source.problems().stream()).toList();
		if (problems.isEmpty()) {
			builder.up();
		}
		else {
			builder.down().withDetail("problems", problems);
		}
	}

}
