/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.delay;

import java.io.IOException;
import java.time.Duration;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;

/**
 * A way to have messages wait.
 */
interface DelayMechanism {

	/**
	 * What stands in the table.
	 * @return a few words
	 */
	String name();

	/**
	 * Where messages come back to.
	 * @return a queue
	 */
	String workQueue();

	/**
	 * Declares all queues.
	 * @param channel where
	 * @throws IOException if the broker refuses
	 */
	void declare(Channel channel) throws IOException;

	/**
	 * Sends a message off to wait.
	 * @param channel where to publish, without waiting for a confirm
	 * @param properties the message's properties, to be added to
	 * @param delay how long
	 * @throws IOException if it can't be published
	 */
	void send(Channel channel, BasicProperties.Builder properties, Duration delay) throws IOException;

}
