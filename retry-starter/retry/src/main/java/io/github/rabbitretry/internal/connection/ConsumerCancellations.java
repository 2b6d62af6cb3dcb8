/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.connection;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Command;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.TrafficListener;

import org.springframework.amqp.rabbit.connection.AbstractConnectionFactory;

/**
 * Knows at once when the broker cancels a consumer, such as that of a deleted queue. A
 * container takes notice when its threads return, and reports nothing before.
 */
public final class ConsumerCancellations {

	private final List<Consumer<String>> listeners = new CopyOnWriteArrayList<>();

	/**
	 * Adds a listener.
	 * @param cancelled gets the consumer's tag, on the thread that reads the connection
	 */
	public void register(Consumer<String> cancelled) {
		this.listeners.add(cancelled);
	}

	/**
	 * Watches the connections of a factory, its publishing ones included. To be called
	 * before it opens the first.
	 * @param factory the factory
	 */
	public void watch(AbstractConnectionFactory factory) {
		ConnectionFactory client = factory.getRabbitConnectionFactory();
		TrafficListener before = client.params(null).getTrafficListener();
		if (!(before instanceof Watching)) {
			client.setTrafficListener(new Watching(before, this.listeners));
		}
	}

	private record Watching(TrafficListener before, List<Consumer<String>> listeners) implements TrafficListener {

		@Override
		public void write(Command outbound) {
			this.before.write(outbound);
		}

		@Override
		public void read(Command inbound) {
			this.before.read(inbound);
			if (inbound.getMethod() instanceof AMQP.Basic.Cancel cancel) {
				this.listeners.forEach((listener) -> listener.accept(cancel.getConsumerTag()));
			}
		}

	}

}
