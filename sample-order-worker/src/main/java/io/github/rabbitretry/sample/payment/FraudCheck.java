/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.payment;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.springframework.stereotype.Component;

/**
 * A simulated native library that scores cards. There is a card that it can't bear: for
 * {@value #CRASHES} it takes more and more memory for some seconds, until the kernel ends
 * the process. No {@code catch} and no shutdown hook gets to see that.
 */
@Component
class FraudCheck {

	static final String CRASHES = "tok_crash";

	private static final int KILLED = 128 + 9;

	void check(String card) {
		if (card.equals(CRASHES)) {
			long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(3);
			while (deadline - System.nanoTime() > 0) {
				LockSupport.parkNanos(deadline - System.nanoTime());
			}
			Runtime.getRuntime().halt(KILLED);
		}
	}

}
