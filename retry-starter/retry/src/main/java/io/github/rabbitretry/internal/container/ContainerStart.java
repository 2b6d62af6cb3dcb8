/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.container;

import java.util.function.BooleanSupplier;

import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;

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
				ConsumersToRestart.forget(container);
			}
			container.start();
		}
		catch (Throwable ex) {
			try {
				if (ours.getAsBoolean()) {
					container.stop();
				}
			}
			catch (Throwable stop) {
				ex.addSuppressed(stop);
			}
			throw ex;
		}
	}

}
