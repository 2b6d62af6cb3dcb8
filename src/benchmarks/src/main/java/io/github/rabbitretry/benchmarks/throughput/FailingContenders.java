/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.throughput;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Ways to treat a message whose handler fails, each at the first failure.
 *
 * @param route leads to the broker
 */
record FailingContenders(Route route) {

	private static final String SIMPLE = "spring.rabbitmq.listener.simple.";

	Contender rabbitRetry() {
		return contender("Rabbit Retry", Goal.HANDED_OVER, Layout::retrying, SpringContender.POLICY,
				FailingListener.class);
	}

	/**
	 * Spring's way to the same guarantee. Nothing less keeps every message: without
	 * mandatory or with simple confirms an unroutable copy is lost.
	 */
	Contender recipe() {
		return republishing("RepublishMessageRecovererWithConfirms", "correlated");
	}

	/** Others, most of which promise less. */
	List<Contender> peers() {
		List<Contender> peers = new ArrayList<>();
		peers.add(republishing("RepublishMessageRecovererWithConfirms, simple confirms", "simple"));
		peers.add(contender("Boot's retry, rejects into a dead-letter queue", Goal.HANDED_OVER, Layout::deadLettering,
				Recipe.RETRY, FailingListener.class));
		peers.add(contender("reject into a TTL queue, by hand", Goal.HANDED_OVER, Layout::rejecting,
				Map.of(SIMPLE + "default-requeue-rejected", false), FailingListener.class));
		if (!this.route.broker().version().matches("4\\.[012]\\..*")) {
			// older brokers deliver again at once
			peers.add(contender("requeue into RabbitMQ's delayed retry", Goal.DELAYED, Layout::delaying, Map.of(),
					FailingListener.class));
		}
		return peers;
	}

	private Contender republishing(String name, String confirms) {
		return contender(name, Goal.HANDED_OVER, Layout::retrying, Recipe.properties(confirms), Recipe.class,
				FailingListener.class);
	}

	private Contender contender(String name, Goal goal, Function<String, Layout> layout, Map<String, Object> properties,
			Class<?>... sources) {
		return new SpringContender(name, this.route, goal, layout, ContainerSetting.DEFAULT.and(properties), sources);
	}

}
