/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.handover;

import java.io.IOException;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ShutdownSignalException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.amqp.rabbit.connection.ChannelProxy;

/**
 * A delivery to be settled, on the very channel that it came through. Spring's channel
 * proxy opens a new channel once the old one is closed, and the same tag means another
 * delivery there.
 */
public final class Original {

	private static final Log logger = LogFactory.getLog(Original.class);

	private final Channel channel;

	private final long deliveryTag;

	/**
	 * Captures a delivery.
	 * @param channel the channel as a listener gets it
	 * @param deliveryTag the delivery's tag
	 */
	public Original(Channel channel, long deliveryTag) {
		this.channel = (channel instanceof ChannelProxy proxy) ? proxy.getTargetChannel() : channel;
		this.deliveryTag = deliveryTag;
	}

	/**
	 * Whether the delivery can still be settled.
	 * @return {@code false} if its channel is closed, so that the broker has it again
	 */
	public boolean open() {
		return this.channel.isOpen();
	}

	/**
	 * The largest frame of the connection.
	 * @return bytes, 0 for no limit
	 */
	public int frameMax() {
		return this.channel.getConnection().getFrameMax();
	}

	/**
	 * Acknowledges the delivery.
	 * @return {@code false} if its channel closed before
	 */
	public boolean acknowledge() {
		return settle("acknowledge", () -> this.channel.basicAck(this.deliveryTag, false));
	}

	/**
	 * Gives the delivery back to its queue. Not by reject, which counts as a failure of
	 * the message on RabbitMQ 4.3.
	 * @return {@code false} if its channel closed before
	 */
	public boolean giveBack() {
		return settle("give back", () -> this.channel.basicNack(this.deliveryTag, false, true));
	}

	/**
	 * Has the broker dead-letter the delivery.
	 * @return {@code false} if its channel closed before
	 */
	public boolean reject() {
		return settle("reject", () -> this.channel.basicReject(this.deliveryTag, false));
	}

	private boolean settle(String what, Settling settling) {
		try {
			settling.run();
			return true;
		}
		catch (IOException | ShutdownSignalException ex) {
			logger.debug("Could not %s a delivery, its channel is closed".formatted(what), ex);
			return false;
		}
	}

	private interface Settling {

		void run() throws IOException;

	}

}
