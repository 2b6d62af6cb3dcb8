/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.container;

import io.github.rabbitretry.internal.invocation.ContainerSettings;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.DirectMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.beans.ConfigurablePropertyAccessor;
import org.springframework.beans.PropertyAccessorFactory;

/**
 * How much a container consumes at once. Its settings have no public getters.
 *
 * @param consumers how many consumers it starts with
 * @param most how many a simple container may have under load, {@code null} if no more
 * @param prefetch how many messages each prefetches
 */
public record ConsumerWidth(int consumers, @Nullable Integer most, int prefetch) {

	public static ConsumerWidth of(AbstractMessageListenerContainer container) {
		ConfigurablePropertyAccessor fields = PropertyAccessorFactory.forDirectFieldAccess(container);
		int prefetch = ContainerSettings.<Integer>require(container, "getPrefetchCount");
		if (container instanceof SimpleMessageListenerContainer) {
			return new ConsumerWidth(number(fields, "concurrentConsumers"),
					(Integer) fields.getPropertyValue("maxConcurrentConsumers"), prefetch);
		}
		return new ConsumerWidth(
				(container instanceof DirectMessageListenerContainer) ? number(fields, "consumersPerQueue") : 1, null,
				prefetch);
	}

	private static int number(ConfigurablePropertyAccessor fields, String name) {
		return (fields.getPropertyValue(name) instanceof Integer number) ? number : 1;
	}

	/** One consumer, since the broker sends messages to no other. */
	public ConsumerWidth single(int prefetched) {
		return new ConsumerWidth(1, (this.most != null) ? 1 : null, prefetched);
	}

	public int mostConsumers() {
		return (this.most != null) ? Math.max(this.most, this.consumers) : this.consumers;
	}

	/**
	 * Has consumers prefetch what the prefetch count says, and not what they acknowledge
	 * at once if that is more: nothing is acknowledged by the container.
	 */
	static void prefetchOnly(AbstractMessageListenerContainer container, boolean batches) {
		if (container instanceof SimpleMessageListenerContainer simple && !batches) {
			simple.setBatchSize(1);
		}
		else if (container instanceof DirectMessageListenerContainer direct) {
			direct.setMessagesPerAck(0);
		}
	}

	/** To be called while the container is stopped. */
	public void apply(AbstractMessageListenerContainer container) {
		container.setPrefetchCount(this.prefetch);
		if (container instanceof SimpleMessageListenerContainer simple) {
			// its setters compare the two
			simple.setConcurrentConsumers(1);
			if (this.most != null) {
				simple.setMaxConcurrentConsumers(this.most);
			}
			simple.setConcurrentConsumers(this.consumers);
		}
		else if (container instanceof DirectMessageListenerContainer direct) {
			direct.setConsumersPerQueue(this.consumers);
		}
	}

}
