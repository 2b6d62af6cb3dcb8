/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.ordering;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Consumer;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Envelope;
import io.github.rabbitretry.internal.container.ManagedContainer;
import io.github.rabbitretry.internal.pipeline.ListenerDelivery;
import io.github.rabbitretry.internal.acknowledgement.Acknowledgement;
import io.github.rabbitretry.internal.message.ReceivedMessage;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;

/**
 * A message that stays unacknowledged until it succeeds or is parked, with the headers
 * that its copy in the ring would have. One thread at a time.
 */
final class HeldMessage implements HeldTask {

	/**
	 * Its copy is on its way to the parking lot, and the lanes are woken when it is
	 * there. This is for a signal that an {@link Error} swallowed.
	 */
	private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

	/** There is no decision on it yet. */
	private static final Duration HANDLE_AGAIN = Duration.ofMillis(200);

	private static final Duration LONGEST_LOOK = Duration.ofSeconds(30);

	private final Consumer<ListenerDelivery> handling;

	private final OrderedHandling ordered;

	private final ManagedContainer container;

	private final Acknowledgement acknowledgement;

	private final long deliveryTag;

	private final @Nullable String consumerTag;

	private final long since = System.nanoTime();

	private volatile @Nullable HeldMessages others;

	/** As it is handled next. */
	private ListenerDelivery delivery;

	private boolean inHand;

	private @Nullable Duration wait;

	private Duration look = LOOK_AGAIN;

	HeldMessage(ListenerDelivery delivery, OrderedHandling ordered, ManagedContainer container,
			Consumer<ListenerDelivery> handling) {
		this.delivery = delivery;
		this.ordered = ordered;
		this.container = container;
		this.handling = handling;
		this.acknowledgement = delivery.acknowledgement();
		MessageProperties properties = delivery.call().message().getMessageProperties();
		this.deliveryTag = properties.getDeliveryTag();
		this.consumerTag = properties.getConsumerTag();
	}

	/** To be called by the thread that delivers it, or the one that handles it. */
	ListenerDelivery delivery() {
		return this.delivery;
	}

	Acknowledgement acknowledgement() {
		return this.acknowledgement;
	}

	private boolean channelOpen() {
		return this.acknowledgement.channel().open();
	}

	/** When it was delivered, as of {@link System#nanoTime()}. */
	long since() {
		return this.since;
	}

	/** To be called before its first step. */
	void among(HeldMessages messages) {
		this.others = messages;
	}

	@Override
	public boolean over() {
		HeldMessages messages = this.others;
		// a copy that is on its way is waited for even while the channel is about to
		// close
		return messages == null || !channelOpen() || this.acknowledgement.isSettled()
				|| (!messages.open() && !this.acknowledgement.begun());
	}

	@Override
	public @Nullable Duration step() {
		HeldMessages messages = this.others;
		if (messages == null) {
			return null;
		}
		if (!this.inHand) {
			if (this.acknowledgement.isSettled() || !messages.take()) {
				messages.remove(this);
				return null;
			}
			this.inHand = true;
			this.wait = null;
			messages.handledHere(true);
			try {
				this.handling.accept(this.delivery);
			}
			finally {
				messages.handledHere(false);
			}
		}
		// whatever it was to wait for: it may have failed to be held after that
		boolean begun = this.acknowledgement.begun();
		if (begun && !this.acknowledgement.settled() && channelOpen()) {
			Duration now = this.look;
			this.look = (now.compareTo(LONGEST_LOOK) < 0) ? now.multipliedBy(2) : LONGEST_LOOK;
			return now;
		}
		this.inHand = false;
		messages.leave();
		if (!begun && channelOpen()) {
			if (this.wait == null) {
				this.delivery = this.delivery.again(this.delivery.call().message(), this.delivery.received());
				return HANDLE_AGAIN;
			}
			return this.wait;
		}
		messages.remove(this);
		return null;
	}

	/**
	 * Has it handled again later. To be called while it is handled.
	 * @param delay how long to wait
	 * @param properties as the copy in the ring would have them
	 */
	void again(Duration delay, BasicProperties properties) {
		ReceivedMessage before = this.delivery.received();
		again(delay, false,
				new ReceivedMessage(properties, before.body(), before.exchange(), before.routingKey(), before.queue()));
	}

	/**
	 * Has neither it nor any other message of its channel handled any more. To be called
	 * while it is handled.
	 */
	void release() {
		HeldMessages messages = this.others;
		if (messages != null) {
			messages.end();
		}
	}

	/**
	 * Has it handled again later as it is, as if it had been delivered again. To be
	 * called while it is handled.
	 * @param delay how long to wait
	 */
	void againAsIs(Duration delay) {
		again(delay, true, this.delivery.received());
	}

	/** Without what a handler has changed in the properties. */
	private void again(Duration delay, boolean redelivered, ReceivedMessage received) {
		MessageProperties properties = this.ordered.converter(this.container.settings().propertiesConverter())
			.convert(received.properties(),
					new Envelope(this.deliveryTag, redelivered, received.exchange(), received.routingKey()),
					StandardCharsets.UTF_8.name());
		properties.setConsumerTag(this.consumerTag);
		properties.setConsumerQueue(received.queue());
		this.delivery = this.delivery.again(new Message(received.body(), properties), received);
		this.wait = delay;
	}

}
