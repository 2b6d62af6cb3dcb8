/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.order;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

import org.springframework.stereotype.Component;

/**
 * The store in numbers.
 */
@Component
class OrderMetrics implements MeterBinder {

	private final OrderStore store;

	OrderMetrics(OrderStore store) {
		this.store = store;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		Gauge.builder("orders", this.store, OrderStore::size).description("Orders known").register(registry);
		FunctionCounter.builder("orders.repeated", this.store, OrderStore::repeated)
			.description("Steps that had been taken before and had no effect")
			.register(registry);
	}

}
