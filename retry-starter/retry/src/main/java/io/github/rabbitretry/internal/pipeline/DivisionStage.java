/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.pipeline;

import java.util.List;

import io.github.rabbitretry.internal.invocation.ListenerCall;

/**
 * Has batches of a producer handled as batches, and passes single messages on.
 */
record DivisionStage(BatchHandling batches, Stage next) implements Stage {

	@Override
	public void handle(ListenerDelivery delivery) {
		if (divisible(delivery.call())) {
			this.batches.handle(List.of(delivery), delivery.acknowledgement().channel());
		}
		else {
			this.next.handle(delivery);
		}
	}

	/**
	 * What can't tell fails again where the batch is taken apart, and is decided about.
	 */
	private static boolean divisible(ListenerCall call) {
		try {
			return call.divisible();
		}
		catch (RuntimeException ex) {
			return true;
		}
	}

}
