/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.drill;

import java.io.IOException;
import java.util.List;

import io.github.rabbitretry.sample.outside.Operator;
import io.github.rabbitretry.sample.outside.ParkedOrder;

/**
 * What can't be read is parked at once.
 */
final class ImmediateParking implements Experiment {

	private static final String ORDER = "drill-2";

	@Override
	public String title() {
		return "A body that JSON mapping fails on";
	}

	@Override
	public String done() {
		return "one payment whose JSON is cut off";
	}

	@Override
	public void run(DrillEnvironment environment, Findings findings) throws IOException {
		Operator operator = environment.operator();
		environment.publish(ORDER, "{\"orderId\":\"drill-2\",\"card\":");
		environment.await(() -> operator.ledger().stream().anyMatch((order) -> order.orderId().equals(ORDER)));
		List<String> reasons = environment.tap()
			.parked(ORDER)
			.stream()
			.map((copy) -> copy.header("x-app-retry-reason"))
			.toList();
		findings.equal("parked once, reason DESERIALIZATION_FAILED", List.of("DESERIALIZATION_FAILED"), reasons);
		findings.equal("no copy to a retry queue", 0, environment.tap().retried(ORDER).size());
		findings.equal("the gateway not asked", 0, environment.gateway().requests(ORDER).size());
		List<ParkedOrder> parked = operator.ledger().stream().filter((order) -> order.orderId().equals(ORDER)).toList();
		findings.equal("in the ledger after 0 retries",
				List.of(new ParkedOrder(ORDER, "DESERIALIZATION_FAILED", 0, "PARKED")), parked);
		findings.equal("parking_lot_messages_total", 1.0,
				operator.metric("parking_lot_messages_total", "reason=\"DESERIALIZATION_FAILED\""));
		operator.metricLines("parking_lot_messages_total").forEach(findings::note);
	}

}
