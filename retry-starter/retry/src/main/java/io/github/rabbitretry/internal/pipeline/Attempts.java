/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.pipeline;

import java.util.function.BiPredicate;

import io.github.rabbitretry.internal.invocation.LocalRetry;

/**
 * Calls the handler until it succeeds, or throws what the last call threw.
 */
@FunctionalInterface
interface Attempts {

	/** As often as the policy allows. A first call that succeeds allocates nothing. */
	Attempts LOCAL = (localRetry, delivery, again) -> {
		try {
			delivery.call().run();
		}
		catch (Throwable first) {
			localRetry.goOn(delivery.call(), (failure) -> again.test(delivery, failure), first);
		}
	};

	void make(LocalRetry localRetry, ListenerDelivery delivery, BiPredicate<ListenerDelivery, Throwable> again)
			throws Throwable;

}
