/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.invocation;

import java.util.List;

import com.rabbitmq.client.Channel;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.AcknowledgeMode;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageListener;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.api.ChannelAwareBatchMessageListener;
import org.springframework.amqp.rabbit.listener.api.ChannelAwareMessageListener;

/**
 * A listener behind a container's advices: sees what they repeat.
 */
public class WatchedListener implements ChannelAwareMessageListener {

	private final MessageListener listener;

	WatchedListener(MessageListener listener) {
		this.listener = listener;
	}

	public static void install(AbstractMessageListenerContainer container) {
		MessageListener listener = container.getMessageListener();
		if (listener != null && !(listener instanceof WatchedListener)) {
			container.setMessageListener(ContainerSettings.listensToBatches(listener) ? new OfBatches(listener)
					: new WatchedListener(listener));
		}
	}

	@Override
	public void onMessage(Message message, @Nullable Channel channel) throws Exception {
		RepeatedCalls.entering(RepeatedCalls.Place.LISTENER);
		try {
			if (this.listener instanceof ChannelAwareMessageListener aware) {
				aware.onMessage(message, channel);
			}
			else {
				this.listener.onMessage(message);
			}
		}
		catch (Throwable ex) {
			RepeatedCalls.failed(RepeatedCalls.Place.LISTENER);
			throw ex;
		}
	}

	@Override
	public boolean isAsyncReplies() {
		return this.listener.isAsyncReplies();
	}

	@Override
	public void containerAckMode(AcknowledgeMode mode) {
		this.listener.containerAckMode(mode);
	}

	/** The container looks at what its listener implements. */
	private static final class OfBatches extends WatchedListener implements ChannelAwareBatchMessageListener {

		private final MessageListener listener;

		OfBatches(MessageListener listener) {
			super(listener);
			this.listener = listener;
		}

		@Override
		public void onMessage(Message message, @Nullable Channel channel) throws Exception {
			super.onMessage(message, channel);
		}

		@Override
		public void onMessageBatch(List<Message> messages, @Nullable Channel channel) {
			RepeatedCalls.entering(RepeatedCalls.Place.LISTENER);
			try {
				if (this.listener instanceof ChannelAwareMessageListener aware) {
					aware.onMessageBatch(messages, channel);
				}
				else {
					this.listener.onMessageBatch(messages);
				}
			}
			catch (Throwable ex) {
				RepeatedCalls.failed(RepeatedCalls.Place.LISTENER);
				throw ex;
			}
		}

	}

}
