/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.ordering;

import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ShutdownSignalException;
import io.github.rabbitretry.internal.handover.ConfirmedPublishers;
import io.github.rabbitretry.internal.delivery.Delivery;
import io.github.rabbitretry.internal.acknowledgement.DeliveryChannel;
import io.github.rabbitretry.internal.health.HealthProblem;
import io.github.rabbitretry.internal.logging.RateLimitedLog;
import io.github.rabbitretry.internal.message.AppHeaders;
import io.github.rabbitretry.internal.message.ReceivedMessage;
import io.github.rabbitretry.internal.message.ReceivedPropertiesConverter;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.policy.Ordering;
import io.github.rabbitretry.internal.pipeline.AttemptObserver;
import io.github.rabbitretry.internal.pipeline.ObservedListener;
import io.github.rabbitretry.internal.thread.DaemonThreads;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.support.MessagePropertiesConverter;

/**
 * Handles the messages of a queue in order. A message that failed is not published into
 * the ring: its delivery is held, and those behind it in its lane wait. What is held goes
 * back only all at once, by the close of the channel, which keeps the order.
 */
public final class OrderedHandling {

	private static final Log logger = LogFactory.getLog(OrderedHandling.class);

	private static final RateLimitedLog withoutKey = new RateLimitedLog(logger, Duration.ofMinutes(10));

	/**
	 * The broker drops acknowledgements that it has not passed on to the queue when a
	 * channel closes: a handful of milliseconds each, and never more than some dozens.
	 */
	private static final Duration APPLIED = Duration.ofMillis(300);

	private final MessagePolicy policy;

	private final Ordering ordering;

	private final OrderingKey key;

	private final Lanes lanes;

	private final ConfirmedPublishers publishers;

	private final Duration patience;

	private final OrderBlock block;

	private final @Nullable ObservedListener observed;

	private final Collection<String> textHeaders;

	private final Map<Channel, HeldMessages> channels = new ConcurrentHashMap<>();

	private final AbstractMessageListenerContainer container;

	OrderedHandling(MessagePolicy policy, Ordering ordering, Lanes lanes, ConfirmedPublishers publishers,
			Duration patience, @Nullable ObservedListener observed, Collection<String> textHeaders,
			AbstractMessageListenerContainer container) {
		this.container = container;
		this.policy = policy;
		this.ordering = ordering;
		this.key = (ordering.key() != null) ? OrderingKey.parse(ordering.key()).orElseThrow() : OrderingKey.same();
		this.lanes = lanes;
		this.publishers = publishers;
		this.observed = observed;
		this.textHeaders = textHeaders;
		this.patience = patience;
		this.block = new OrderBlock(policy, container);
	}

	/** By the container's thread, in the order of delivery. */
	void add(HeldMessage message) {
		String lane = key(message.delivery().received());
		messages(message).add(message);
		this.lanes.add(lane, message);
	}

	ReceivedPropertiesConverter converter(MessagePropertiesConverter delegate) {
		return new ReceivedPropertiesConverter(delegate, false, this.textHeaders);
	}

	/** Handles a message where its container would see nothing of that. */
	void handle(AttemptObserver observer, Message message, Runnable handling) {
		if (this.observed != null) {
			observer.handled(message, this.observed, handling);
		}
		else {
			handling.run();
		}
	}

	private HeldMessages messages(HeldMessage message) {
		return messages(DeliveryChannel.target(message.delivery().call().channel()),
				message.acknowledgement()::channel);
	}

	private HeldMessages messages(Channel channel, Supplier<DeliveryChannel> deliveries) {
		HeldMessages known = this.channels.get(channel);
		if (known == null) {
			known = this.channels.computeIfAbsent(channel, (key) -> new HeldMessages(deliveries.get()));
			// at once if it is closed by now
			channel.addShutdownListener((cause) -> {
				this.channels.remove(channel);
				this.lanes.wake();
			});
		}
		return known;
	}

	/**
	 * By what the message was first published with, if it came back: the origin is that
	 * of this queue, see {@code ForeignHeaderFilter}. Messages without a key are ordered
	 * among themselves.
	 */
	private String key(ReceivedMessage received) {
		Map<String, Object> headers = received.headers();
		Object origin = headers.get(AppHeaders.ORIGIN_ROUTING_KEY);
		String found = this.key.of(headers, (origin instanceof String text) ? text : received.routingKey());
		if (found == null) {
			withoutKey.warn(() -> ("Messages of '%s' have no ordering-key (%s). They are handled one after the other, "
					+ "as if they had the same one. Let their producer set it, or correct ordering-key: "
					+ "header:<name> or routing-key")
				.formatted(this.policy.messageType(), this.ordering.key()));
			return "";
		}
		return found;
	}

	/** How long a message waits at most, where the others of its lane wait with it. */
	Duration bounded(Duration delay) {
		Duration longest = this.ordering.longestDelay();
		return (delay.compareTo(longest) > 0) ? longest : delay;
	}

	/** Handles a message again that was given back. */
	void holdAsIs(Delivery delivery) {
		held(delivery).ifPresent((message) -> message.againAsIs(this.ordering.interval()));
	}

	/**
	 * Whether consuming ends at a message that would be parked.
	 * @return {@code false} if it is parked, and those behind it are handled
	 */
	boolean blocks() {
		return this.ordering.blocksWhenParked();
	}

	/**
	 * Ends consuming at a message that would be parked. It goes back to the head of its
	 * queue. To be called while it is handled.
	 * @param delivery the message
	 * @param reason why it would be parked
	 */
	void block(Delivery delivery, String reason) {
		held(delivery).ifPresent(HeldMessage::release);
		this.block.begin(delivery.received(), reason);
	}

	/** At which message consuming ended, or {@code null} if it continues. */
	@Nullable HealthProblem problem() {
		return this.block.problem();
	}

	/**
	 * Waits, bounded, for the stop of the container at a message that would be parked.
	 * @param begun when waiting began
	 */
	void awaitBlock(long begun) {
		this.block.awaitStop(() -> deadline(begun));
	}

	private long deadline(long begun) {
		return Math.min(this.publishers.stopDeadline().ofHandover(), begun + this.patience.toNanos());
	}

	/** To be called when a delivery was settled by another thread than its lane's. */
	void wake() {
		this.lanes.wake();
	}

	/** How many keys have messages that are handled or wait, in this process. */
	int lanes() {
		return this.lanes.size();
	}

	/** Whether messages of its container are handled or wait, in this process. */
	boolean holds() {
		return this.channels.values().stream().anyMatch(HeldMessages::any);
	}

	/** The name of its policy. */
	String messageType() {
		return this.policy.messageType();
	}

	/** None if its channel is closed: the broker has it again. */
	Optional<HeldMessage> held(Delivery delivery) {
		return this.channels.values()
			.stream()
			.flatMap((messages) -> messages.of(delivery.acknowledgement()).stream())
			.findFirst();
	}

	/** Begins nothing new with what is held, which goes back to its queue. */
	void end() {
		this.channels.values().forEach(HeldMessages::end);
		this.lanes.wake();
	}

	AbstractMessageListenerContainer container() {
		return this.container;
	}

	/**
	 * Closes a channel: waits until no handler works on its messages, and leaves the
	 * others to the broker.
	 * @param channel the channel, no proxy
	 * @param closed to be run afterwards
	 */
	void close(Channel channel, Runnable closed) {
		HeldMessages messages = this.channels.get(channel);
		if (messages != null) {
			end(messages);
			if (messages.isHandledHere()) {
				// a handler that stops its own container: it is closed when that has
				// ended
				messages.whenClosed(closed);
				return;
			}
			try {
				messages.awaitEnd(deadline(System.nanoTime()), APPLIED);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}
		closeNow(channel);
		closed.run();
	}

	/**
	 * Requeues all that a channel holds: it is closed when the handlers have ended.
	 * @param channel the channel
	 */
	public void giveBack(Channel channel) {
		end(messages(channel, () -> new DeliveryChannel(channel)));
	}

	private void end(HeldMessages messages) {
		messages.end();
		this.lanes.wake();
	}

	/** By threads that are not those of the lanes, which the handlers may keep busy. */
	private static void closeLater(Channel channel, Runnable closed) {
		DaemonThreads.start("rabbit-retry-order-close", () -> {
			closeNow(channel);
			closed.run();
		});
	}

	private static void closeNow(Channel channel) {
		try {
			channel.close();
		}
		catch (IOException | TimeoutException | ShutdownSignalException ex) {
			logger.debug("The channel was closed before", ex);
		}
	}

	/**
	 * To be called some times a second: closes channels that hold messages for so long
	 * that the broker would soon take them back, one by one.
	 */
	public void closeOverdue() {
		this.block.endIfStarted();
		this.channels.forEach((channel, messages) -> {
			if (messages.open() && messages.longest().compareTo(this.ordering.longestHold()) > 0) {
				logger
					.warn(("Messages of '%s' have waited for those before them for so long (%s) that RabbitMQ would soon "
							+ "take them back. All that are held are delivered anew, in order. If that comes again, lower "
							+ "the prefetch count of all instances, or raise their concurrency")
						.formatted(this.policy.messageType(), this.ordering.longestHold()));
				end(messages);
			}
			// the broker waits for a quarter of that: a handler that runs on may well end
			if (messages.endsNow(this.ordering.longestHold().dividedBy(8), APPLIED)) {
				// without a thread for it the next look does it
				closeLater(channel, messages::closed);
				messages.closing();
			}
		});
	}

}
