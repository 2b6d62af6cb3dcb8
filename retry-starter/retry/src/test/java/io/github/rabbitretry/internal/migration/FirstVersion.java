/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.migration;

import java.io.IOException;
import java.util.List;
import java.util.Map;

import com.rabbitmq.client.Channel;

/**
 * What the first version declared besides.
 */
final class FirstVersion {

	private static final int LEVELS = 22;

	private FirstVersion() {
	}

	static void declare(Channel channel, String queue) throws IOException {
		channel.queueDeclare(queue + ".undeliverable", true, false, false,
				Map.of("x-queue-type", "quorum", "x-overflow", "reject-publish", "x-delivery-limit", -1));
		channel.queueBind(queue + ".undeliverable", queue + ".dlx", queue + ".undeliverable");
		EarlierLadder ladder = new EarlierLadder(queue + ".delay");
		for (String exchange : ladder.exchanges()) {
			channel.exchangeDeclare(exchange, "topic", true);
		}
		List<Map.Entry<String, List<Map<String, Object>>>> levels = List.copyOf(ladder.queues().entrySet());
		for (int level = 0; level < LEVELS; level++) {
			String name = levels.get(level).getKey();
			int above = LEVELS - 1 - level;
			channel.queueDeclare(name, true, false, false, levels.get(level).getValue().get(0));
			channel.queueBind(name, ladder.prefix(), "0.".repeat(above) + "1.#");
			channel.queueBind(name, name, "*.".repeat(above) + "1.#");
			channel.exchangeBind((level == 0) ? ladder.delivery() : levels.get(level - 1).getKey(), name,
					"*.".repeat(above) + "0.#");
		}
		channel.queueBind(queue, ladder.delivery(), "*.".repeat(LEVELS) + queue);
	}

}
