/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.container;

import java.util.Collection;

import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.beans.ConfigurablePropertyAccessor;
import org.springframework.beans.PropertyAccessorFactory;

/**
 * Consumers that a {@code direct} container means to start again. It keeps them over a
 * stop, and starts them besides those of its next start: one more consumer each time.
 */
final class ConsumersToRestart {

	private ConsumersToRestart() {
	}

	/**
	 * Forgets them.
	 * @param container a container that is stopped, of any kind
	 */
	public static void forget(AbstractMessageListenerContainer container) {
		ConfigurablePropertyAccessor fields = PropertyAccessorFactory.forDirectFieldAccess(container);
		if (fields.isReadableProperty("consumersToRestart")
				&& fields.getPropertyValue("consumersToRestart") instanceof Collection<?> consumers) {
			synchronized (consumers) {
				consumers.clear();
			}
		}
	}

}
