/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.delay;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;

/**
 * Asks one way for delays while others wait, and sees how late each comes back.
 */
final class DelayRun {

	private static final String OTHER = "other";

	private static final int UNCONFIRMED = 1000;

	private static final int LONGEST_WAIT = 60_000;

	private final DelayMechanism way;

	private final List<Duration> others;

	private final List<Duration> asked;

	private final Map<Integer, Long> sentAt = new ConcurrentHashMap<>();

	private final Map<Integer, Long> backAt = new ConcurrentHashMap<>();

	private final CountDownLatch missing;

	/**
	 * Creates a run.
	 * @param way what is measured
	 * @param others the delays of those that wait meanwhile
	 * @param asked the delays that are measured
	 */
	DelayRun(DelayMechanism way, List<Duration> others, List<Duration> asked) {
		this.way = way;
		this.others = others;
		this.asked = asked;
		this.missing = new CountDownLatch(asked.size());
	}

	/**
	 * Random delays, in milliseconds.
	 * @param random where chance comes from
	 * @param number how many
	 * @param shortest the shortest
	 * @param longest the longest
	 * @return the delays
	 */
	static List<Duration> random(Random random, int number, Duration shortest, Duration longest) {
		List<Duration> delays = new ArrayList<>();
		for (int i = 0; i < number; i++) {
			delays.add(shortest.plusMillis(random.nextLong(longest.minus(shortest).toMillis() + 1)));
		}
		return delays;
	}

	void begin(Connection connection) throws IOException, InterruptedException, TimeoutException {
		Channel channel = connection.createChannel();
		this.way.declare(channel);
		Channel consuming = connection.createChannel();
		consuming.basicQos(250);
		consuming.basicConsume(this.way.workQueue(), false, (tag, delivery) -> {
			String id = delivery.getProperties().getMessageId();
			if (!id.equals(OTHER) && this.backAt.putIfAbsent(Integer.valueOf(id), System.nanoTime()) == null) {
				this.missing.countDown();
			}
			consuming.basicAck(delivery.getEnvelope().getDeliveryTag(), false);
		}, (tag) -> {
		});
		channel.confirmSelect();
		int published = 0;
		for (Duration delay : this.others) {
			this.way.send(channel, persistent(OTHER), delay);
			if (++published % UNCONFIRMED == 0) {
				channel.waitForConfirmsOrDie(LONGEST_WAIT);
			}
		}
		channel.waitForConfirmsOrDie(LONGEST_WAIT);
		for (int i = 0; i < this.asked.size(); i++) {
			this.sentAt.put(i, System.nanoTime());
			this.way.send(channel, persistent(Integer.toString(i)), this.asked.get(i));
		}
		channel.waitForConfirmsOrDie(LONGEST_WAIT);
	}

	private static BasicProperties.Builder persistent(String id) {
		return new BasicProperties.Builder().deliveryMode(2).messageId(id);
	}

	/**
	 * Waits until all are back that are measured.
	 * @return how late each was
	 * @throws InterruptedException if interrupted
	 */
	Lateness await() throws InterruptedException {
		this.missing.await();
		List<Duration> late = new ArrayList<>();
		int exact = 0;
		for (int i = 0; i < this.asked.size(); i++) {
			Duration asked = this.asked.get(i);
			Duration lateness = Duration.ofNanos(this.backAt.get(i) - this.sentAt.get(i)).minus(asked);
			Duration allowed = Duration.ofMillis(Math.max(1_000, asked.toMillis() / 50));
			if (!lateness.isNegative() && lateness.compareTo(allowed) <= 0) {
				exact++;
			}
			late.add(lateness);
		}
		late.sort(null);
		return new Lateness(this.way.name(), late, exact);
	}

}
