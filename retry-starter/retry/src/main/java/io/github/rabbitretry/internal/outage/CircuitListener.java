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
interface CircuitListener {

	void began(Outage outage);

	void ended(Outage outage);

	/** Calls are let through by another rule than before. */
	void changed();

	/** The change is followed even if the event fails. */
	default void opened(@Nullable Outage began) {
		try {
			if (began != null) {
				began(began);
			}
		}
		finally {
			changed();
		}
	}

	/** The change is followed even if the event fails. */
	default void closed(Outage ended) {
		try {
			ended(ended);
		}
		finally {
			changed();
		}
	}

}
