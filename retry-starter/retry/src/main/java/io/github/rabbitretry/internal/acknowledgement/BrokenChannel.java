/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.acknowledgement;

import java.io.IOException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

import com.rabbitmq.client.Channel;
import io.github.rabbitretry.internal.connection.ChannelClosing;
import io.github.rabbitretry.internal.thread.DaemonThreads;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The end of a channel on which a delivery could not be settled, so that its consumer
 * begins anew.
 */
final class BrokenChannel {

	private static final Log logger = LogFactory.getLog(BrokenChannel.class);

	private final Channel channel;

	private final Consumer<Channel> closer;

	private volatile boolean broken;

	/**
	 * Creates it for a channel that is not broken.
	 * @param channel the channel
	 * @param closer closes it, and does not wait for that; {@code null} to abort it
	 */
	BrokenChannel(Channel channel, @Nullable Consumer<Channel> closer) {
		this.channel = channel;
		this.closer = (closer != null) ? closer : BrokenChannel::abort;
	}

	/** In a thread of its own, whatever its connection does. */
	private static void abort(Channel channel) {
		DaemonThreads.start("rabbit-retry-close", () -> {
			try {
				new ChannelClosing(channel, channel::abort).complete();
			}
			catch (IOException | TimeoutException | RuntimeException ex) {
				logger.warn("A channel on which a delivery could not be settled could not be closed", ex);
			}
		});
	}

	/** Closes the channel now, or at the next check if there is no thread for it. */
	void close() {
		this.broken = true;
		try {
			closeIfBroken();
		}
		catch (Throwable ex) {
			logger.debug("No thread closes a channel, which is tried again", ex);
		}
	}

	/** To be called some times a second. */
	void closeIfBroken() {
		if (this.broken) {
			this.broken = false;
			try {
				this.closer.accept(this.channel);
			}
			catch (Throwable ex) {
				this.broken = true;
				throw ex;
			}
		}
	}

}
