/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.actuate;

import java.util.List;
import java.util.Map;

import io.github.rabbitretry.internal.health.HealthProblem;
import io.github.rabbitretry.internal.health.HealthSource;
import org.junit.jupiter.api.Test;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

import static org.assertj.core.api.Assertions.assertThat;

class RabbitRetryHealthIndicatorTests {

	@Test
	void isUpWhileNoPartReportsAProblem() {
		RabbitRetryHealthIndicator indicator = new RabbitRetryHealthIndicator(List.of(List::of, List::of));
		assertThat(indicator.health().getStatus()).isEqualTo(Status.UP);
	}

	@Test
	void showsDetailsOfWhatIsNoProblemAndStaysUp() {
		HealthSource outages = new HealthSource() {

			@Override
			public List<HealthProblem> problems() {
				return List.of();
			}

			@Override
			public Map<String, Object> details() {
				return Map.of("outages", List.of("gateway"));
			}

		};
		Health health = new RabbitRetryHealthIndicator(List.of(outages, List::of)).health();
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(health.getDetails()).containsEntry("outages", List.of("gateway"));
	}

	@Test
	void isDownWithTheCauseWhileAPartReportsAProblem() {
		HealthProblem problem = new HealthProblem("publisher-refused", "CreateOrder", "ACCESS_REFUSED - write");
		RabbitRetryHealthIndicator indicator = new RabbitRetryHealthIndicator(
				List.of(List::of, () -> List.of(problem)));
		Health health = indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.DOWN);
		assertThat(health.getDetails()).containsEntry("problems", List.of(problem));
	}

}
