/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.drill;

import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.github.rabbitretry.sample.outside.Operator;
import io.github.rabbitretry.sample.outside.ParkedOrder;

/**
 * A thousand messages that can't be read, and some healthy ones among the first half of
 * them.
 */
final class PoisonFlood implements Experiment {

	private static final int POISON = 1000;

	private static final int HEALTHY = 50;

	@Override
	public String title() {
		return "A flood of 1,000 poison messages";
	}

	@Override
	public String done() {
		return "50 healthy payments by themselves; then 1,000 that can't be read, with 50 healthy ones among the first 500";
	}

	@Override
	public void run(DrillEnvironment environment, Findings findings) throws IOException {
		Operator operator = environment.operator();
		Map<String, Long> before = environment.publish(DrillEnvironment.PAYMENT, healthy("drill-5-before-"));
		environment.await(() -> handled(environment, before.keySet()) == HEALTHY);
		Map<String, String> flood = flood();
		Map<String, Long> published = environment.publish(DrillEnvironment.PAYMENT, flood);
		Map<String, Long> during = new LinkedHashMap<>(published);
		during.keySet().removeIf((orderId) -> !orderId.startsWith("drill-5-healthy-"));
		environment.await(() -> handled(environment, during.keySet()) == HEALTHY && parked(operator) == POISON
				&& environment.left().isEmpty());
		findings.equal("every healthy payment handled", HEALTHY, handled(environment, during.keySet()));
		findings.equal("every poison message parked, none retried", "1000 parked, 0 retried",
				"%d parked, %d retried".formatted(parked(operator), retried(environment, flood.keySet())));
		long lastHealthy = during.keySet()
			.stream()
			.mapToLong(environment.handled()::firstSeen)
			.max()
			.orElse(Long.MAX_VALUE);
		long behind = flood.keySet()
			.stream()
			.filter(PoisonFlood::poison)
			.flatMap((orderId) -> environment.tap().parked(orderId).stream())
			.filter((copy) -> copy.at() > lastHealthy)
			.count();
		findings.add("the last healthy one handled while poison was still coming",
				"%d poison messages parked after it".formatted(behind), behind > 0);
		findings.note("latency without the flood: " + latencies(environment, before));
		findings.note("latency during the flood:  " + latencies(environment, during));
		operator.metricLines("parking_lot_messages_total").forEach(findings::note);
	}

	private static Map<String, String> healthy(String prefix) {
		Map<String, String> payments = new LinkedHashMap<>();
		for (int number = 0; number < HEALTHY; number++) {
			payments.put(prefix + number, DrillEnvironment.payment(prefix + number, "tok_visa"));
		}
		return payments;
	}

	private static Map<String, String> flood() {
		Map<String, String> flood = new LinkedHashMap<>();
		int between = POISON / 2 / HEALTHY;
		for (int number = 0; number < POISON; number++) {
			flood.put("drill-5-poison-" + number, "{\"orderId\":");
			if (number < POISON / 2 && number % between == between - 1) {
				String orderId = "drill-5-healthy-" + number / between;
				flood.put(orderId, DrillEnvironment.payment(orderId, "tok_visa"));
			}
		}
		return flood;
	}

	private static boolean poison(String orderId) {
		return orderId.startsWith("drill-5-poison-");
	}

	private static int handled(DrillEnvironment environment, Collection<String> orders) {
		return (int) orders.stream().filter((orderId) -> !environment.handled().events(orderId).isEmpty()).count();
	}

	private static int parked(Operator operator) throws IOException {
		return (int) operator.ledger()
			.stream()
			.map(ParkedOrder::orderId)
			.filter(PoisonFlood::poison)
			.distinct()
			.count();
	}

	private static long retried(DrillEnvironment environment, Collection<String> orders) {
		return orders.stream()
			.filter(PoisonFlood::poison)
			.filter((orderId) -> !environment.tap().retried(orderId).isEmpty())
			.count();
	}

	private static String latencies(DrillEnvironment environment, Map<String, Long> published) {
		LongSummaryStatistics millis = new LongSummaryStatistics();
		published.forEach((orderId, at) -> millis
			.accept(TimeUnit.NANOSECONDS.toMillis(environment.handled().firstSeen(orderId) - at)));
		return "%.0f ms on average, %d ms at most".formatted(millis.getAverage(), millis.getMax());
	}

}
