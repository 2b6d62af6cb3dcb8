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
	public void run(Site site, Findings findings) throws IOException {
		Operator operator = site.operator();
		Map<String, Long> before = site.publish(Site.PAYMENT, healthy("drill-5-before-"));
		site.await(() -> handled(site, before.keySet()) == HEALTHY);
		Map<String, String> flood = flood();
		Map<String, Long> published = site.publish(Site.PAYMENT, flood);
		Map<String, Long> during = new LinkedHashMap<>(published);
		during.keySet().removeIf((orderId) -> !orderId.startsWith("drill-5-healthy-"));
		site.await(
				() -> handled(site, during.keySet()) == HEALTHY && parked(operator) == POISON && site.left().isEmpty());
		findings.equal("every healthy payment handled", HEALTHY, handled(site, during.keySet()));
		findings.equal("every poison message parked, none retried", "1000 parked, 0 retried",
				"%d parked, %d retried".formatted(parked(operator), retried(site, flood.keySet())));
		long lastHealthy = during.keySet().stream().mapToLong(site.handled()::firstSeen).max().orElse(Long.MAX_VALUE);
		long behind = flood.keySet()
			.stream()
			.filter(PoisonFlood::poison)
			.flatMap((orderId) -> site.tap().parked(orderId).stream())
			.filter((copy) -> copy.at() > lastHealthy)
			.count();
		findings.add("the last healthy one handled while poison was still coming",
				"%d poison messages parked after it".formatted(behind), behind > 0);
		findings.tell("latency without the flood: " + latencies(site, before));
		findings.tell("latency during the flood:  " + latencies(site, during));
		operator.metricLines("parking_lot_messages_total").forEach(findings::tell);
	}

	private static Map<String, String> healthy(String prefix) {
		Map<String, String> payments = new LinkedHashMap<>();
		for (int number = 0; number < HEALTHY; number++) {
			payments.put(prefix + number, Site.payment(prefix + number, "tok_visa"));
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
				flood.put(orderId, Site.payment(orderId, "tok_visa"));
			}
		}
		return flood;
	}

	private static boolean poison(String orderId) {
		return orderId.startsWith("drill-5-poison-");
	}

	private static int handled(Site site, Collection<String> orders) {
		return (int) orders.stream().filter((orderId) -> !site.handled().events(orderId).isEmpty()).count();
	}

	private static int parked(Operator operator) throws IOException {
		return (int) operator.ledger()
			.stream()
			.map(ParkedOrder::orderId)
			.filter(PoisonFlood::poison)
			.distinct()
			.count();
	}

	private static long retried(Site site, Collection<String> orders) {
		return orders.stream()
			.filter(PoisonFlood::poison)
			.filter((orderId) -> !site.tap().retried(orderId).isEmpty())
			.count();
	}

	private static String latencies(Site site, Map<String, Long> published) {
		LongSummaryStatistics millis = new LongSummaryStatistics();
		published.forEach(
				(orderId, at) -> millis.accept(TimeUnit.NANOSECONDS.toMillis(site.handled().firstSeen(orderId) - at)));
		return "%.0f ms on average, %d ms at most".formatted(millis.getAverage(), millis.getMax());
	}

}
