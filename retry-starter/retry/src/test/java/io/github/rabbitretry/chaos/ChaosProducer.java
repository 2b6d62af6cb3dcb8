/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.chaos;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import org.awaitility.Awaitility;

/**
 * Publishes numbered messages at a rate until the faults are over and enough of them are
 * confirmed, on a new connection whenever the old one is gone. What was not confirmed is
 * not published again: whatever is there twice in the end was not doubled here.
 */
final class ChaosProducer implements AutoCloseable {

	private static final int UNCONFIRMED = 200;

	private static final int KEYS = 100;

	private final ChaosServers servers;

	private final String queue;

	private final int messages;

	private final long nanosBetween;

	private final Set<Integer> confirmed = new ConcurrentSkipListSet<>();

	private final NavigableMap<Integer, String> published = new ConcurrentSkipListMap<>();

	private final Thread thread = new Thread(this::run, "chaos producer");

	private final AtomicInteger burst = new AtomicInteger();

	private int connections;

	private int next;

	private volatile boolean faultsOver;

	private volatile boolean closed;

	ChaosProducer(ChaosServers servers, String queue, int first, int messages, int perSecond) {
		this.servers = servers;
		this.queue = queue;
		this.next = first;
		this.messages = messages;
		this.nanosBetween = TimeUnit.SECONDS.toNanos(1) / perSecond;
		this.thread.setDaemon(true);
		this.thread.start();
	}

	/** However long the faults take, messages are published until they are over. */
	void faultsOver() {
		this.faultsOver = true;
	}

	/** So many messages come as fast as they can. */
	void burst(int messages) {
		this.burst.set(messages);
	}

	/** The key of each message. The messages of a key came over one channel. */
	NavigableMap<Integer, String> keys() {
		return this.published;
	}

	boolean done() {
		return this.faultsOver && this.confirmed.size() >= this.messages;
	}

	private int room() {
		return this.faultsOver ? Math.min(UNCONFIRMED, this.messages - this.confirmed.size()) : UNCONFIRMED;
	}

	Set<Integer> confirmed() {
		return new TreeSet<>(this.confirmed);
	}

	Set<Integer> unconfirmed() {
		Set<Integer> unconfirmed = new TreeSet<>(this.published.keySet());
		unconfirmed.removeAll(this.confirmed);
		return unconfirmed;
	}

	private void run() {
		while (!done() && !this.closed) {
			try (Connection connection = this.servers.connect("chaos producer");
					Channel channel = connection.createChannel()) {
				this.connections++;
				publish(channel);
			}
			catch (IOException | IllegalStateException | ShutdownSignalException | TimeoutException ex) {
				LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
			}
		}
	}

	private void publish(Channel channel) throws IOException {
		ConcurrentNavigableMap<Long, Integer> waiting = new ConcurrentSkipListMap<>();
		channel.confirmSelect();
		channel.addConfirmListener((tag, multiple) -> {
			ConcurrentNavigableMap<Long, Integer> taken = waiting.subMap(multiple ? 0 : tag, true, tag, true);
			this.confirmed.addAll(taken.values());
			taken.clear();
		}, (tag, multiple) -> waiting.subMap(multiple ? 0 : tag, true, tag, true).clear());
		while (channel.isOpen() && !done() && !this.closed) {
			LockSupport
				.parkNanos((this.burst.getAndUpdate((left) -> Math.max(0, left - 1)) > 0) ? 1 : this.nanosBetween);
			if (waiting.size() < room()) {
				int number = this.next++;
				String key = this.connections + "-" + number % KEYS;
				this.published.put(number, key);
				waiting.put(channel.getNextPublishSeqNo(), number);
				channel.basicPublish("", this.queue, true,
						new BasicProperties.Builder().contentType("text/plain")
							.deliveryMode(2)
							.messageId("m-" + number)
							.headers(Map.of("key", key))
							.build(),
						String.valueOf(number).getBytes());
			}
		}
	}

	@Override
	public void close() {
		this.closed = true;
		Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> !this.thread.isAlive());
	}

}
