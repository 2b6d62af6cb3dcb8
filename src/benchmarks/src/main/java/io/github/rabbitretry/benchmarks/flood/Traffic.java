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

	private static final byte[] MORE = order(OrderListener.Order.NOT_MEASURED);

	private static final byte[] POISON = "{\"dueAt\": broken".getBytes(StandardCharsets.UTF_8);

	private static final BasicProperties PROPERTIES = new BasicProperties.Builder().deliveryMode(2)
		.contentType("application/json")
		.build();

	private final FloodedApplication application;

	private final Channel channel;

	private int healthy;

	private int poison;

	Traffic(FloodedApplication application, Channel channel) {
		this.application = application;
		this.channel = channel;
	}

	/**
	 * Publishes for a while.
	 * @param seconds how long
	 * @param rates how many messages of which kind
	 * @return how long those took that are measured, once {@link #done}
	 */
	Latencies publish(int seconds, FloodBenchmark.Rates rates) throws IOException {
		Latencies latencies = new Latencies();
		this.application.listener().record(latencies);
		long begin = System.nanoTime();
		int measured = 0;
		int others = 0;
		while (measured < rates.healthy() * seconds) {
			long now = System.nanoTime();
			long due = begin + TimeUnit.SECONDS.toNanos(measured) / rates.healthy();
			if (now - due >= 0) {
				publish(order(due));
				measured++;
			}
			else if (others < (now - begin) * (rates.more() + rates.poison()) / 1e9) {
				publish((rates.poison() > 0) ? POISON : MORE);
				others++;
			}
			else {
				LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(100));
			}
		}
		this.healthy += measured + ((rates.poison() > 0) ? 0 : others);
		this.poison += (rates.poison() > 0) ? others : 0;
		return latencies;
	}

	private void publish(byte[] body) throws IOException {
		this.channel.basicPublish("", this.application.queue(), PROPERTIES, body);
	}

	private static byte[] order(long dueAt) {
		return "{\"dueAt\": %s}".formatted(dueAt).getBytes(StandardCharsets.UTF_8);
	}

	/** Whether every message is handled or parked. */
	boolean done() throws IOException {
		return this.application.listener().handled() >= this.healthy
				&& this.channel.queueDeclarePassive(this.application.parkingLot()).getMessageCount() >= this.poison;
	}

	@Override
	public String toString() {
		return "%s: %s of %s healthy messages handled, %s others published".formatted(this.application.name(),
				this.application.listener().handled(), this.healthy, this.poison);
	}

}
