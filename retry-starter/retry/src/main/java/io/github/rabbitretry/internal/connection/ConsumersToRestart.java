/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.connection;

import java.lang.reflect.Field;
import java.util.Collection;

import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.DirectMessageListenerContainer;
import org.springframework.util.ReflectionUtils;

/**
 * Consumers that a {@code direct} container means to start again. It keeps them over a
 * stop, and starts them besides those of its next start: one more consumer each time.
 */
public final class ConsumersToRestart {

	private ConsumersToRestart() {
	}

	/**
	 * Forgets them.
	 * @param container a container that is stopped, of any kind
	 */
	public static void forget(AbstractMessageListenerContainer container) {
		Field field = ReflectionUtils.findField(DirectMessageListenerContainer.class, "consumersToRestart");
		if (field == null || !(container instanceof DirectMessageListenerContainer)) {
			return;
		}
		ReflectionUtils.makeAccessible(field);
		if (ReflectionUtils.getField(field, container) instanceof Collection<?> consumers) {
			synchronized (consumers) {
				consumers.clear();
			}
		}
	}

}
