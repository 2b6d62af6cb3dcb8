/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.container;

import java.util.function.BooleanSupplier;

import org.springframework.amqp.core.MessageListenerContainer;

/**
 * Starts listener containers that are started again if that fails.
 */
public final class ContainerStart {

	private ContainerStart() {
	}

	/**
	 * Starts a container, or stops it: Spring AMQP counts one as running whose start has
	 * failed, for instance since its executor or the broker refused it, and starts it no
	 * more.
	 * @param container the container
	 * @param ours asked then: whether no other code has started or stopped it meanwhile
	 */
	public static void startOrStop(MessageListenerContainer container, BooleanSupplier ours) {
		try {
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
