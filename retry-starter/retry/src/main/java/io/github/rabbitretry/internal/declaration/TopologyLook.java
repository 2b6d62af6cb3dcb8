/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.declaration;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import com.rabbitmq.client.AMQP.Queue.DeclareOk;
import com.rabbitmq.client.Connection;
import io.github.rabbitretry.internal.broker.BrokerAccess.QueueDepth;
import io.github.rabbitretry.internal.broker.TopologyProblem;
import io.github.rabbitretry.internal.topology.TopologyParts;

/**
 * Looks at a topology over AMQP, and changes nothing.
 */
final class TopologyLook {

	private final Connection connection;

	/**
	 * Creates the look.
	 * @param connection to the broker
	 */
	TopologyLook(Connection connection) {
		this.connection = connection;
	}

	/**
	 * Finds what is missing or different.
	 * @param parts what must be there
	 * @return what is wrong, in the order of the parts
	 */
	public List<TopologyProblem> problems(TopologyParts parts) {
		return new TopologyDeclarer(this.connection, TopologyMode.VERIFY).run(parts, false);
	}

	/**
	 * Counts messages and consumers.
	 * @param queues names of queues
	 * @return what is known, for those that are there and may be asked about
	 */
	public Map<String, QueueDepth> depths(Collection<String> queues) {
		Map<String, QueueDepth> depths = new LinkedHashMap<>();
		try (DeclaringChannel channel = new DeclaringChannel(this.connection)) {
			for (String queue : queues) {
				channel.attempt((open) -> {
					DeclareOk answer = open.queueDeclarePassive(queue);
					depths.put(queue, new QueueDepth(answer.getMessageCount(), answer.getConsumerCount()));
				});
			}
		}
		return depths;
	}

}
