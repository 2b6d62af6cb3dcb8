/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.throughput;

import java.io.IOException;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConfirmListener;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;

/**
 * Publishes each delivery's copy and acknowledges on confirm, and does nothing besides:
 * no retry, no headers, no decision. Both channels are new and count from 1, so a copy's
 * sequence number is its original's delivery tag, and the broker's confirm of several is
 * answered by one acknowledgement.
 */
final class BareLoop implements Consumption {

	private final Connection consuming;

	private final Connection publishing;

	private final Layout layout;

	BareLoop(Connection consuming, Connection publishing, Layout layout) {
		this.consuming = consuming;
		this.publishing = publishing;
		this.layout = layout;
	}

	@Override
	public void start() throws IOException {
		Channel consumer = this.consuming.createChannel();
		Channel publisher = this.publishing.createChannel();
		consumer.basicQos(ContainerSetting.DEFAULT.prefetch());
		publisher.confirmSelect();
		publisher.addConfirmListener(new AcknowledgeOnConfirm(consumer));
		String exchange = this.layout.targetExchange();
		String routingKey = this.layout.target();
		consumer.basicConsume(this.layout.work(), false, new DefaultConsumer(consumer) {

			@Override
			public void handleDelivery(String tag, Envelope envelope, BasicProperties properties, byte[] body)
					throws IOException {
				publisher.basicPublish(exchange, routingKey, true, properties, body);
			}

		});
	}

	@Override
	public void close() throws IOException {
		this.consuming.close();
		this.publishing.close();
	}

	/**
	 * A copy that is refused stays unacknowledged, and the site shows it.
	 */
	private record AcknowledgeOnConfirm(Channel consumer) implements ConfirmListener {

		@Override
		public void handleAck(long sequence, boolean multiple) throws IOException {
			this.consumer.basicAck(sequence, multiple);
		}

		@Override
		public void handleNack(long sequence, boolean multiple) {
		}

	}

}
