/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.deadletter;

import com.rabbitmq.client.Channel;
import io.github.rabbitretry.internal.connection.BrokerText;
import io.github.rabbitretry.internal.declaration.TopologyMode;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.topology.BindingModel;
import io.github.rabbitretry.internal.topology.QueueModel;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.amqp.rabbit.connection.Connection;

/**
 * Declares the queue that the broker moves dead letters to that nobody can receive, when
 * there is such a message: most brokers never have one. Until the queue is there, the
 * dead-letter queue keeps the message and tries again to move it.
 */
final class LastQueue {

	private static final Log logger = LogFactory.getLog(LastQueue.class);

	private final TopologyMode mode;

	LastQueue(TopologyMode mode) {
		this.mode = mode;
	}

	void prepare(Connection connection, MessagePolicy policy) {
		QueueModel queue = policy.topology().lastQueue();
		BindingModel binding = policy.topology().lastQueueBinding();
		try (Channel channel = SingleMessageConsumer.open(connection)) {
			if (this.mode == TopologyMode.DECLARE) {
				channel.queueDeclare(queue.name(), true, false, false, queue.declaredArguments());
				channel.queueBind(queue.name(), binding.exchange(), binding.routingKey());
			}
			else {
				channel.queueDeclarePassive(queue.name());
			}
		}
		catch (Exception ex) {
			logger.error(("A dead letter of '%s' ends each connection, and can't be moved to queue '%s': %s. "
					+ "It stays in '%s' until that quorum queue is declared with %s and bound to exchange '%s' with key '%s'")
				.formatted(policy.messageType(), queue.name(), BrokerText.of(ex), policy.topology().deadLetterQueue(),
						queue.declaredArguments(), binding.exchange(), binding.routingKey()));
		}
	}

}
