/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.handover;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

import com.rabbitmq.client.Channel;
import io.github.rabbitretry.internal.connection.BrokerText;
import io.github.rabbitretry.internal.logging.RateLimitedLog;
import io.github.rabbitretry.internal.message.LogText;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.connection.RabbitUtils;

/**
 * Publishes replies, once each and without waiting for a confirm: a reply is of no use
 * later, and nothing may wait for one that can't be published. Has a channel of its own,
 * since a reply's address is the sender's, and the broker closes the channel if there is
 * no such exchange.
 */
final class ReplyPublisher {

	private static final Log logger = LogFactory.getLog(ReplyPublisher.class);

	private static final int MOST_WAITING = 1000;

	private static final long REFUSED = Duration.ofSeconds(30).toNanos();

	private final PublisherConnection link;

	private final Executor executor;

	private final BlockingQueue<OutboundMessage> waiting = new LinkedBlockingQueue<>(MOST_WAITING);

	/**
	 * Until when nothing is published to exchanges that the broker refused, each of which
	 * costs a channel. Policies name them, so they are few. Touched by one thread at a
	 * time.
	 */
	private final Map<String, Long> refused = new HashMap<>();

	private final LongSupplier nanos;

	private final AtomicBoolean working = new AtomicBoolean();

	private final RateLimitedLog dropped = new RateLimitedLog(logger, Duration.ofSeconds(30));

	ReplyPublisher(PublisherConnection link, Executor executor, LongSupplier nanos) {
		this.link = link;
		this.executor = executor;
		this.nanos = nanos;
	}

	/** Does not block. */
	void publish(OutboundMessage reply) {
		if (!this.waiting.offer(reply)) {
			drop("more than %d wait".formatted(MOST_WAITING));
			return;
		}
		work();
	}

	private void work() {
		if (!this.waiting.isEmpty() && this.working.compareAndSet(false, true)) {
			try {
				this.executor.execute(this::publishAll);
			}
			catch (RuntimeException | OutOfMemoryError ex) {
				this.waiting.clear();
				this.working.set(false);
				drop(ex.getClass().getName());
			}
		}
	}

	private void publishAll() {
		try {
			while (!this.waiting.isEmpty()) {
				publishThroughOneChannel();
			}
		}
		finally {
			this.working.set(false);
		}
		// one that came meanwhile
		work();
	}

	/** Its end shows whether the broker accepted them. */
	private void publishThroughOneChannel() {
		OutboundMessage reply = this.waiting.poll();
		if (reply == null) {
			return;
		}
		if (this.link.blocked()) {
			drop("the broker blocks publishers");
			return;
		}
		if (refused(reply.exchange())) {
			drop("the broker refused exchange '%s' a moment ago".formatted(LogText.of(reply.exchange())));
			return;
		}
		Channel channel = null;
		try {
			channel = this.link.connection().createChannel();
			if (channel == null) {
				throw new IOException("no channel left on the publishing connection");
			}
			publish(channel, reply);
			// an exchange that is not there must not take the replies to others with it
			while (toSame(reply, this.waiting.peek())) {
				publish(channel, this.waiting.remove());
			}
			answered(channel);
			channel.close();
		}
		catch (Exception ex) {
			if (channel != null && channel.isOpen()) {
				RabbitUtils.closeChannel(channel);
			}
			else if (channel != null && channel.getConnection().isOpen()) {
				refuse(reply.exchange());
			}
			drop(BrokerText.of(ex));
		}
	}

	private boolean refused(String exchange) {
		Long until = this.refused.get(exchange);
		return until != null && until - this.nanos.getAsLong() > 0;
	}

	/** Never the default one, through which most replies go. */
	private void refuse(String exchange) {
		if (!exchange.isEmpty()) {
			this.refused.put(exchange, this.nanos.getAsLong() + REFUSED);
		}
	}

	/**
	 * Has the broker answer, which closes the channel first if it refuses a reply. If its
	 * close crossed ours, the client would give the channel's number away too early, and
	 * the broker would end the connection with all copies on it.
	 */
	private static void answered(Channel channel) throws IOException {
		channel.basicQos(1);
	}

	private static boolean toSame(OutboundMessage reply, @Nullable OutboundMessage next) {
		return next != null && next.exchange().equals(reply.exchange());
	}

	private static void publish(Channel channel, OutboundMessage reply) throws IOException {
		channel.basicPublish(reply.exchange(), reply.routingKey(), reply.properties(), reply.body());
	}

	private void drop(@Nullable String why) {
		this.dropped
			.warn(() -> "Replies to parked requests can't be published (%s): their senders wait until their own timeout"
				.formatted(why));
	}

}
