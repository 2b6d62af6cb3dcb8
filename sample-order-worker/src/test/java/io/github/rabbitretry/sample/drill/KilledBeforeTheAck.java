/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.drill;

import java.io.IOException;
import java.util.List;
import java.util.Map;

import io.github.rabbitretry.sample.outside.Operator;

/**
 * The worst moment to die: the copy is with the broker, the original not acknowledged.
 */
final class KilledBeforeTheAck implements Experiment {

	private static final String ORDER = "drill-3";

	@Override
	public String title() {
		return "The worker killed after the retry publish and before the ack";
	}

	@Override
	public String done() {
		return "one payment that times out once; the wire holds the ack back, and the worker gets SIGKILL there";
	}

	@Override
	public void run(DrillEnvironment environment, Findings findings) throws IOException {
		int crashes = environment.worker().crashes();
		environment.wire().untilTheNextAck(() -> environment.worker().kill());
		environment.publish(ORDER, DrillEnvironment.payment(ORDER, "tok_timeout_1"));
		Operator operator = environment.operator();
		environment.await(() -> environment.handled().events(ORDER).size() > 1 && environment.left().isEmpty()
				&& environment.worker().healthy());
		findings.equal("on the wire",
				List.of("copy to payment.command.capture.retry.500ms", "confirm", "ack held back"),
				environment.wire().seen());
		findings.equal("the worker killed", 1, environment.worker().crashes() - crashes);
		findings.equal("no loss: the original and its copy handled, after 0 and 1 retries", List.of(0, 1),
				environment.handled().events(ORDER).stream().sorted().toList());
		findings.equal("the gateway asked three times", 3, environment.gateway().requests(ORDER).size());
		findings.equal("the duplicate absorbed: captured once", 1, environment.gateway().captures(ORDER));
		findings.equal("and counted by the order store, orders_repeated_total", 1.0,
				operator.metric("orders_repeated_total", ""));
		findings.equal("nothing left in any queue", Map.of(), environment.left());
		findings.equal("nothing parked", 0L,
				operator.ledger().stream().filter((order) -> order.orderId().equals(ORDER)).count());
	}

}
