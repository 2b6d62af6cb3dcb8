/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.acknowledgement;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;

import com.rabbitmq.client.Channel;
import io.github.rabbitretry.internal.thread.DaemonThreads;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The open channels that deliveries come through, each the same for all its deliveries.
 */
public final class DeliveryChannels {

	private static final Log logger = LogFactory.getLog(DeliveryChannels.class);

	private static final Duration ANSWER = Duration.ofSeconds(1);

	private static final long LEAST_ANSWER = TimeUnit.MILLISECONDS.toNanos(100);

	private final Map<Channel, DeliveryChannel> channels = new ConcurrentHashMap<>();

	private final @Nullable Consumer<Channel> closer;

	/** Of channels whose deliveries are given back one by one. */
	public DeliveryChannels() {
		this(null);
	}

	/**
	 * Of channels that are closed in place of giving a delivery back, see
	 * {@link DeliveryChannel}.
	 * @param closer closes a channel, and does not wait for that
	 */
	public DeliveryChannels(@Nullable Consumer<Channel> closer) {
		this.closer = closer;
	}

	/**
	 * The channel of a delivery.
	 * @param channel the channel as a listener gets it
	 * @param consumerTag whose delivery it is, {@code null} if no consumer's
	 * @return the channel, known until it closes
	 */
	public DeliveryChannel of(Channel channel, @Nullable String consumerTag) {
		Channel target = DeliveryChannel.target(channel);
		DeliveryChannel known = this.channels.get(target);
		if (known == null) {
			known = this.channels.computeIfAbsent(target, (key) -> new DeliveryChannel(key, this.closer));
			// at once if it is closed by now
			target.addShutdownListener((cause) -> this.channels.remove(target));
		}
		known.deliversTo(consumerTag);
		return known;
	}

	/**
	 * Whether there are none.
	 * @return {@code false} if at least one is open
	 */
	public boolean isEmpty() {
		return this.channels.isEmpty();
	}

	/**
	 * Gives back all that is delivered through any of the channels and not settled, where
	 * the broker does not count that as a failure.
	 * @param deadline until when copies on their way are waited for, as of
	 * {@link System#nanoTime()}
	 */
	public void giveBackAll(long deadline) {
		List<DeliveryChannel> uncounted = uncounted((channel) -> true);
		uncounted.forEach((channel) -> channel.cancelConsumers(ANSWER));
		awaitHandovers(deadline);
		uncounted.forEach(DeliveryChannel::giveBackAll);
	}

	/**
	 * The same for channels that hold copies while their listener is not called: no
	 * thread gives back what they hold before their container closes them.
	 */
	public void giveBackIdle() {
		long deadline = System.nanoTime() + ANSWER.toNanos();
		for (DeliveryChannel channel : uncounted(DeliveryChannel::holdsIdly)) {
			// at least sent: what is given back before would be delivered here again
			channel.cancelConsumers(Duration.ofNanos(Math.max(LEAST_ANSWER, deadline - System.nanoTime())));
			channel.giveBackIdle();
		}
	}

	private List<DeliveryChannel> uncounted(Predicate<DeliveryChannel> which) {
		return this.channels.values()
			.stream()
			.filter((channel) -> channel.open() && channel.givesBackUncounted() && which.test(channel))
			.toList();
	}

	/** In a thread of its own, whatever its connection does. */
	static void abort(Channel channel) {
		DaemonThreads.start("rabbit-retry-close", () -> {
			try {
				channel.abort();
			}
			catch (IOException | RuntimeException ex) {
				logger.warn("A channel on which a delivery could not be settled could not be closed", ex);
			}
		});
	}

	/**
	 * Waits until no copy of any delivery is on its way any more.
	 * @param deadline until when to wait, as of {@link System#nanoTime()}
	 */
	public void awaitHandovers(long deadline) {
		this.channels.values().forEach((channel) -> channel.awaitHandovers(deadline));
	}

	/**
	 * To be called when the broker cancelled a consumer: its threads wait for nothing any
	 * more, so that the container can begin again.
	 * @param consumerTag the consumer's tag
	 */
	public void brokerCancelled(String consumerTag) {
		List<DeliveryChannel> its = this.channels.values()
			.stream()
			.filter((channel) -> channel.hasConsumer(consumerTag))
			.toList();
		// an application may give the same tag to consumers of several channels
		if (its.size() == 1) {
			its.get(0).brokerCancelled();
		}
	}

}
