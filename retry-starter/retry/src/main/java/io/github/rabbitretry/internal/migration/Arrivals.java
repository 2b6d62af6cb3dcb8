/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.migration;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.ShutdownSignalException;

/**
 * What a consumer got and has not acknowledged, the oldest first.
 */
final class Arrivals extends DefaultConsumer {

	private final BlockingQueue<Arrival> arrived = new LinkedBlockingQueue<>();

	private final CountDownLatch end = new CountDownLatch(1);

	Arrivals(Channel channel) {
		super(channel);
	}

	@Override
	public void handleDelivery(String consumerTag, Envelope envelope, BasicProperties properties, byte[] body) {
		this.arrived.add(new Arrival(envelope, properties, body));
	}

	@Override
	public void handleCancel(String consumerTag) {
		this.end.countDown();
	}

	@Override
	public void handleShutdownSignal(String consumerTag, ShutdownSignalException signal) {
		this.end.countDown();
	}

	/** Some, as soon as there are any, or none after a while. */
	List<Arrival> take(int most, long millis) {
		List<Arrival> some = new ArrayList<>();
		try {
			Arrival first = this.arrived.poll(millis, TimeUnit.MILLISECONDS);
			if (first != null) {
				some.add(first);
				this.arrived.drainTo(some, most - 1);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new MigrationException("interrupted", ex);
		}
		return some;
	}

	/** All there will be, once the queue is deleted. */
	List<Arrival> rest() {
		try {
			if (!this.end.await(10, TimeUnit.SECONDS)) {
				throw new MigrationException("the broker did not cancel the consumer of a queue that was deleted");
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new MigrationException("interrupted", ex);
		}
		List<Arrival> all = new ArrayList<>();
		this.arrived.drainTo(all);
		return all;
	}

	/**
	 * One message.
	 *
	 * @param envelope its tag, and where it was published to
	 * @param properties its properties
	 * @param body its body
	 */
	record Arrival(Envelope envelope, BasicProperties properties, byte[] body) {

		long tag() {
			return this.envelope.getDeliveryTag();
		}

	}

}
