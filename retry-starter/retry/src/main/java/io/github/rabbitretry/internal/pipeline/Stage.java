/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.pipeline;

/**
 * A step on the way of a delivery.
 */
@FunctionalInterface
public interface Stage {

	/** Passes the delivery on, or ends it. */
	void handle(ListenerDelivery delivery);

}
