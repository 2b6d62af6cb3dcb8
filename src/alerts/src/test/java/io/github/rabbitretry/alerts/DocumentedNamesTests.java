/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.alerts;

import java.io.IOException;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class DocumentedNamesTests {

	private static final Set<String> SCRAPED = Set.of("retry_attempts_total", "retry_age_seconds_count",
			"rabbit_retry_in_flight", "rabbitmq_detailed_queue_messages");

	private static final List<String> ALERTS = List.of("RabbitRetryDeadLetters");

	@ParameterizedTest
	@ValueSource(strings = { "rabbit_retry_inflight", "rabbitmq_queue_messages_ready", "retry_atempts_total",
			"retries_age_seconds", "retry_age_max", "parking_lot_message_total", "replay_total",
			"RabbitRetryDeadLetter" })
	void aWrongNameIsFound(String name) {
		assertThat(DocumentedNames.wrong("see `" + name + "` there", SCRAPED, ALERTS)).containsExactly(name);
	}

	@ParameterizedTest
	@ValueSource(strings = { "sum(rate(retry_attempts_total{reason=\"X\"}[5m]))", "`retry_age_seconds`",
			"[RabbitRetryDeadLetters](runbook.md#rabbitretrydeadletters)", "the table rabbit_retry_parked_count",
			"rabbitmq-plugins enable rabbitmq_prometheus", "x_app_retry", "RabbitRetry" })
	void aNameThatIsRightIsNot(String text) {
		assertThat(DocumentedNames.wrong(text, SCRAPED, ALERTS)).isEmpty();
	}

	@Test
	void allPagesAreLookedAt() throws IOException {
		assertThat(DocumentedNames.pages().keySet()).anyMatch((page) -> page.endsWith("src/docs/runbook.md"))
			.anyMatch((page) -> page.endsWith("src/docs/observability.md"))
			.anyMatch((page) -> page.equals("../../README.md"))
			.hasSizeGreaterThan(15);
		assertThat(DocumentedNames.pages().values()).anyMatch((page) -> !DocumentedNames.queries(page).isEmpty());
	}

}
