/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.flood;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;

/**
 * Publishes at a steady rate, whatever comes of it.
 */
final class Traffic {

	private static final byte[] POISON = "{\"dueAt\": broken".getBytes(StandardCharsets.UTF_8);

	private static final BasicProperties PROPERTIES = new BasicProperties.Builder().deliveryMode(2)
		.contentType("application/json")
		.build();

	private final Channel channel;

	private final int healthyRate;

	private int poison;

	Traffic(Channel channel, int healthyRate) {
		this.channel = channel;
		this.healthyRate = healthyRate;
	}

	/**
	 * Publishes healthy messages and poison.
	 * @param seconds how long
	 * @param poisonRate how many of the latter per second
	 * @return how many of the former
	 */
	int publish(int seconds, int poisonRate) throws IOException {
		long begin = System.nanoTime();
		int healthy = 0;
		int broken = 0;
		while (healthy < this.healthyRate * seconds) {
			long now = System.nanoTime();
			long due = begin + TimeUnit.SECONDS.toNanos(healthy) / this.healthyRate;
			if (now - due >= 0) {
				this.channel.basicPublish("", FloodBenchmark.QUEUE, PROPERTIES,
						"{\"dueAt\": %s}".formatted(due).getBytes(StandardCharsets.UTF_8));
				healthy++;
			}
			else if (broken < (now - begin) * poisonRate / 1e9) {
				this.channel.basicPublish("", FloodBenchmark.QUEUE, PROPERTIES, POISON);
				broken++;
			}
			else {
				LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(100));
			}
		}
		this.poison += broken;
		return healthy;
	}

	/** How many poison messages were published in all. */
	int poison() {
		return this.poison;
	}

	int parked() throws IOException {
		return this.channel.queueDeclarePassive(FloodBenchmark.QUEUE + ".parking-lot").getMessageCount();
	}

}
