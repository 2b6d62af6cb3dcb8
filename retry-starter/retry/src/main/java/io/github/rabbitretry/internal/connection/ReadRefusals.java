/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.connection;

import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ShutdownSignalException;

import org.springframework.amqp.rabbit.connection.ChannelListener;

/**
 * Queues that the user has no permission to read. A direct container publishes no event
 * for them, tries again every five seconds and logs each attempt.
 */
public final class ReadRefusals {

	private static final Pattern QUEUE = Pattern.compile("read access to queue '([^']+)'");

	private ReadRefusals() {
	}

	/**
	 * Listens for channels that the broker closes because of that.
	 * @param callback gets the queue and the broker's text
	 * @return a listener for the channels' connection factory
	 */
	public static ChannelListener listener(BiConsumer<String, String> callback) {
		return new ChannelListener() {

			@Override
			public void onCreate(Channel channel, boolean transactional) {
				// nothing was refused yet
			}

			@Override
			public void onShutDown(ShutdownSignalException signal) {
				String why = BrokerText.of(signal);
				Matcher queue = QUEUE.matcher(why);
				if (queue.find()) {
					callback.accept(queue.group(1), why);
				}
			}

		};
	}

}
