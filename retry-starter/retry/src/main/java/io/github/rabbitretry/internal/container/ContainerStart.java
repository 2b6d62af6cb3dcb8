/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.container;

import java.util.Collection;
import java.util.function.BooleanSupplier;

import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.beans.ConfigurablePropertyAccessor;
import org.springframework.beans.PropertyAccessorFactory;

/**
 * Starts listener containers that are started again if that fails.
 */
public final class ContainerStart {

	private ContainerStart() {
	}

	/**
	 * Starts a container that has stopped, or stops it: Spring AMQP counts one as running
	 * whose start has failed, for instance since its executor or the broker refused it,
	 * and starts it no more. A direct container starts no consumers besides its own.
	 * @param container the container
	 * @param ours asked then: whether no other code has started or stopped it meanwhile
	 */
	public static void startOrStop(AbstractMessageListenerContainer container, BooleanSupplier ours) {
		try {
			if (!container.isRunning()) {
				forgetConsumersToRestart(container);
			}
			container.start();
		}
		catch (Throwable ex) {
			try {
				if (ours.getAsBoolean()) {
					container.stop();
				}
			}
			catch (RuntimeException stop) {
				ex.addSuppressed(stop);
			}
			throw ex;
		}
	}

	/**
	 * A direct container keeps consumers that it means to start again over a stop, and
	 * starts them besides those of its next start: one more consumer each time.
	 */
	private static void forgetConsumersToRestart(AbstractMessageListenerContainer container) {
		ConfigurablePropertyAccessor fields = PropertyAccessorFactory.forDirectFieldAccess(container);
		// other versions of Spring AMQP may not have it
		if (fields.isReadableProperty("consumersToRestart")
				&& fields.getPropertyValue("consumersToRestart") instanceof Collection<?> consumers) {
			synchronized (consumers) {
				consumers.clear();
			}
		}
	}

}
