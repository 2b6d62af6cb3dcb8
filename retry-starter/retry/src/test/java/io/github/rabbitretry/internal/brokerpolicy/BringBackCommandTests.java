/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.brokerpolicy;

import java.util.List;
import java.util.Map;

import io.github.rabbitretry.internal.management.ManagementClient;
import io.github.rabbitretry.internal.management.ManagementSettings;
import io.github.rabbitretry.internal.topology.QueueDefinition;
import io.github.rabbitretry.internal.topology.QueueRole;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class BringBackCommandTests {

	@Test
	void looksForTheQueuesOwnDeadLetterExchangeFirst() {
		QueueDefinition queue = new QueueDefinition("q.retry.1m", QueueRole.RETRY,
				Map.of("x-queue-type", "quorum", "x-dead-letter-exchange", "q.retry"));
		ManagementClient management = new ManagementClient(
				new ManagementSettings("http://127.0.0.1:15672", "user", "secret", "/", null));
		assertThat(new BringBackCommand(List.of(queue)).command("q.retry.1m", management))
			.as("not that of another policy")
			.startsWith(
					"while curl -sS --fail -u \"$RABBITMQ_ADMIN\" 'http://127.0.0.1:15672/api/queues/%2F/q.retry.1m?columns=effective_policy_definition' | grep -qF '\"dead-letter-exchange\":\"q.retry\"' && curl ")
			.doesNotContain("secret");
	}

}
