/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.delay;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;

/**
 * The naive recipe: one queue in which each message has a time to live of its own, else
 * with the same guarantees. RabbitMQ expires messages at a queue's head only.
 */
final class MessageTtlDelay implements DelayMechanism {

	private static final String WORK = "delays.message-ttl";

	private static final String WAITING = "delays.message-ttl.waiting";

	@Override
	public String name() {
		return "TTL per message, one queue";
	}

	@Override
	public String workQueue() {
		return WORK;
	}

	@Override
	public void declare(Channel channel) throws IOException {
		channel.queueDeclare(WORK, true, false, false, Map.of("x-queue-type", "quorum"));
		channel.queueDeclare(WAITING, true, false, false,
				Map.of("x-queue-type", "quorum", "x-dead-letter-exchange", "", "x-dead-letter-routing-key", WORK,
						"x-dead-letter-strategy", "at-least-once", "x-overflow", "reject-publish"));
	}

	@Override
	public void send(Channel channel, BasicProperties.Builder properties, Duration delay) throws IOException {
		channel.basicPublish("", WAITING, true, properties.expiration(Long.toString(delay.toMillis())).build(),
				new byte[0]);
	}

}
