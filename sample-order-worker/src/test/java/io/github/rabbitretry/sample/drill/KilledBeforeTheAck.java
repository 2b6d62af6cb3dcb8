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
	public void run(Site site, Findings findings) throws IOException {
		int crashes = site.worker().crashes();
		site.wire().untilTheNextAck(() -> site.worker().kill());
		site.publish(ORDER, Site.payment(ORDER, "tok_timeout_1"));
		Operator operator = site.operator();
		site.await(() -> site.handled().events(ORDER).size() > 1 && site.left().isEmpty() && site.worker().healthy());
		findings.equal("on the wire",
				List.of("copy to payment.command.capture.retry.500ms", "confirm", "ack held back"), site.wire().seen());
		findings.equal("the worker killed", 1, site.worker().crashes() - crashes);
		findings.equal("no loss: the original and its copy handled, after 0 and 1 retries", List.of(0, 1),
				site.handled().events(ORDER).stream().sorted().toList());
		findings.equal("the gateway asked three times", 3, site.gateway().requests(ORDER).size());
		findings.equal("the duplicate absorbed: captured once", 1, site.gateway().captures(ORDER));
		findings.equal("and counted by the order store, orders_repeated_total", 1.0,
				operator.metric("orders_repeated_total", ""));
		findings.equal("nothing left in any queue", Map.of(), site.left());
		findings.equal("nothing parked", 0L,
				operator.ledger().stream().filter((order) -> order.orderId().equals(ORDER)).count());
	}

}
