/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.outage;

import io.github.rabbitretry.event.DeliveryListener.Outage;
import org.jspecify.annotations.Nullable;

/**
 * Is notified of changes of a circuit, by the thread that made them.
 */
@FunctionalInterface
interface CircuitListener {

	/**
	 * Calls are let through by another rule than before.
	 * @param outage the outage that began or has ended with that, or {@code null}
	 */
	void changed(@Nullable Outage outage);

}
