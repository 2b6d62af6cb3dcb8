/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.brokerpolicy;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

import io.github.rabbitretry.internal.management.Json;
import io.github.rabbitretry.internal.management.ManagementClient;
import io.github.rabbitretry.internal.management.ShellWord;
import io.github.rabbitretry.internal.topology.QueueDefinition;

/**
 * What has all messages of a retry queue dead-lettered, so that they come back. Of more
 * than 32 at a time, RabbitMQ (4.0 to 4.3) gives the rest back to the queue. While no
 * policy leads to the queue's own dead-letter exchange, RabbitMQ would delete them, or
 * another consumer would get them: so it ends.
 */
final class BringBackCommand {

	private static final String EXCHANGE = "dead-letter-exchange";

	private final Map<String, Object> exchanges = new HashMap<>();

	/**
	 * Creates the command.
	 * @param queues queues with minimal arguments
	 */
	BringBackCommand(Collection<QueueDefinition> queues) {
		queues
			.forEach((queue) -> this.exchanges.put(queue.name(), queue.policyDefinition().getOrDefault(EXCHANGE, "")));
	}

	/**
	 * Names it for a queue.
	 * @param queue one of the queues
	 * @param management who has it
	 * @return a line for a shell
	 */
	String command(String queue, ManagementClient management) {
		String url = "%s/api/queues/%s/%s".formatted(management.url(),
				ManagementClient.encoded(management.virtualHost()), ManagementClient.encoded(queue));
		String leads = Json.write(Map.of(EXCHANGE, this.exchanges.getOrDefault(queue, "")));
		return "while curl -sS --fail -u \"$RABBITMQ_ADMIN\" %s | grep -qF %s && curl -sS --fail -u \"$RABBITMQ_ADMIN\" -X POST %s -H 'content-type: application/json' -d %s | grep -q payload; do :; done"
			.formatted(ShellWord.quoted(url + "?columns=effective_policy_definition"), ShellWord.quoted(leads
				.substring(1, leads.length() - 1)), ShellWord.quoted(url + "/get"), ShellWord.quoted(
						"{\"count\":32,\"ackmode\":\"reject_requeue_false\",\"encoding\":\"auto\",\"truncate\":1}"));
	}

}
