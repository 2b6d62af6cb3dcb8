/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.drill;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.github.rabbitretry.sample.outside.Operator;
import io.github.rabbitretry.sample.outside.OrderMessageType;

/**
 * Three attempts time out, the fourth succeeds.
 */
final class DelayedRetry implements Experiment {

	private static final String ORDER = "drill-1";

	private static final String CONTENDED = "drill-1-lock";

	private static final List<Long> DELAYS = List.of(500L, 1000L, 1500L);

	@Override
	public String title() {
		return "A timeout at the first three attempts";
	}

	@Override
	public String done() {
		return "one payment that the gateway does not answer in time three times; one order that loses an optimistic lock";
	}

	@Override
	public void run(DrillEnvironment environment, Findings findings) throws IOException {
		environment.publish(ORDER, DrillEnvironment.payment(ORDER, "tok_timeout_3"));
		environment.publish(OrderMessageType.CREATE_ORDER, Map.of(CONTENDED, """
				{"schemaVersion":2,"orderId":"%s","customerId":"customer-1","sku":"SKU-CONTENDED","quantity":2}"""
			.formatted(CONTENDED)));
		environment.await(() -> !environment.handled().events(ORDER).isEmpty()
				&& !environment.handled().events(CONTENDED).isEmpty());
		List<PublishedCopies.Copy> copies = environment.tap().retried(ORDER);
		findings.equal("three copies to retry queues, x-app-retry-attempt 1, 2, 3", List.of("1", "2", "3"),
				headers(copies, "x-app-retry-attempt"));
		findings.equal("each with the reason DOWNSTREAM_TIMEOUT",
				List.of("DOWNSTREAM_TIMEOUT", "DOWNSTREAM_TIMEOUT", "DOWNSTREAM_TIMEOUT"),
				headers(copies, "x-app-retry-reason"));
		List<Long> gaps = gaps(environment.gateway().requests(ORDER));
		findings.add("the gateway asked again no sooner than %s ms later".formatted(DELAYS), gaps, kept(gaps));
		findings.equal("handled once, after 3 retries", List.of(3), environment.handled().events(ORDER));
		findings.equal("captured once", 1, environment.gateway().captures(ORDER));
		findings.equal("the lock that was lost: tried again locally, no delayed retry", List.of(0),
				environment.handled().events(CONTENDED));
		Operator operator = environment.operator();
		findings.equal("retry_attempts_total", 3.0,
				operator.metric("retry_attempts_total", "reason=\"DOWNSTREAM_TIMEOUT\""));
		operator.metricLines("retry_attempts_total").forEach(findings::note);
	}

	private static List<String> headers(List<PublishedCopies.Copy> copies, String name) {
		return copies.stream().map((copy) -> copy.header(name)).toList();
	}

	/** Each holds the delay and the time for which an answer was waited for. */
	private static List<Long> gaps(List<Long> times) {
		List<Long> gaps = new ArrayList<>();
		for (int index = 1; index < times.size(); index++) {
			gaps.add(TimeUnit.NANOSECONDS.toMillis(times.get(index) - times.get(index - 1)));
		}
		return gaps;
	}

	private static boolean kept(List<Long> gaps) {
		boolean kept = gaps.size() == DELAYS.size();
		for (int index = 0; kept && index < gaps.size(); index++) {
			kept = gaps.get(index) >= DELAYS.get(index);
		}
		return kept;
	}

}
