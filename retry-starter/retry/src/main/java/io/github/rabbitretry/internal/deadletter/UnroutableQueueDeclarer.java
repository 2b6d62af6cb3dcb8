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
import io.github.rabbitretry.internal.topology.BindingDefinition;
import io.github.rabbitretry.internal.topology.QueueDefinition;
import io.github.rabbitretry.internal.topology.QueueType;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;

/**
 * Declares the queue that the broker moves dead letters to that no client can receive,
 * when there is such a message: most brokers never have one. Until the queue is there,
 * the dead-letter queue keeps the message and tries again to move it.
 */
final class UnroutableQueueDeclarer {

	private static final Log logger = LogFactory.getLog(UnroutableQueueDeclarer.class);

	private final TopologyMode mode;

	UnroutableQueueDeclarer(TopologyMode mode) {
		this.mode = mode;
	}

	void prepare(ConnectionFactory connectionFactory, MessagePolicy policy) {
		if (this.mode != TopologyMode.DECLARE) {
			return;
		}
		QueueDefinition queue = policy.topology().lastQueue();
		BindingDefinition binding = policy.topology().lastQueueBinding();
		try (Channel channel = SingleMessageConsumer.open(connectionFactory)) {
			channel.queueDeclare(queue.name(), true, false, false, queue.arguments());
			channel.queueBind(queue.name(), binding.exchange(), binding.routingKey());
		}
		catch (Exception ex) {
			missing(policy, BrokerText.of(ex));
		}
	}

	/**
	 * The broker has not moved a message. That the queue is there would not be enough,
	 * and AMQP has no question for a binding. From a classic queue it moves none.
	 */
	void notReached(MessagePolicy policy) {
		if (this.mode != TopologyMode.DECLARE && policy.topology().queueType() == QueueType.QUORUM) {
			missing(policy, "the broker has not moved it yet, and topology.mode allows to declare nothing");
		}
	}

	private void missing(MessagePolicy policy, String why) {
		QueueDefinition queue = policy.topology().lastQueue();
		BindingDefinition binding = policy.topology().lastQueueBinding();
		logger.error(("A dead letter of '%s' ends each connection, and can't be moved to queue '%s': %s. "
				+ "It stays in '%s' until that quorum queue is declared with %s and bound to exchange '%s' with key '%s'")
			.formatted(policy.messageType(), queue.name(), why, policy.topology().deadLetterQueue(), queue.arguments(),
					binding.exchange(), binding.routingKey()));
	}

}
