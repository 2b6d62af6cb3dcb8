/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.doctor;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.github.rabbitretry.internal.snapshot.BindingSnapshot;
import io.github.rabbitretry.internal.snapshot.BrokerSnapshot;
import io.github.rabbitretry.internal.snapshot.ExchangeSnapshot;
import io.github.rabbitretry.internal.snapshot.QueueSnapshot;
import io.github.rabbitretry.internal.topology.TopicPattern;
import org.jspecify.annotations.Nullable;

/**
 * Where messages go that are published to an exchange, or dead-lettered by a queue. A
 * routing key that is not known may be any.
 */
final class Routes {

	private final BrokerSnapshot live;

	private final Map<String, List<BindingSnapshot>> bySource;

	Routes(BrokerSnapshot live) {
		this.live = live;
		this.bySource = live.bindings().stream().collect(Collectors.groupingBy(BindingSnapshot::source));
	}

	/**
	 * Where dead letters of a queue go.
	 * @param queue the queue
	 * @param key with which key they came into it, or {@code null} for any
	 * @return queues, with the key that messages have there
	 */
	Set<Stop> deadLetters(QueueSnapshot queue, @Nullable String key) {
		Object exchange = queue.effective("dead-letter-exchange", this.live.policies());
		Object own = queue.effective("dead-letter-routing-key", this.live.policies());
		return (exchange != null) ? published(exchange.toString(), (own != null) ? own.toString() : key) : Set.of();
	}

	/**
	 * Where messages go.
	 * @param exchange the exchange
	 * @param key with which key, or {@code null} for any
	 * @return queues, with that key
	 */
	Set<Stop> published(String exchange, @Nullable String key) {
		Set<Stop> stops = new LinkedHashSet<>();
		if (!exchange.isEmpty()) {
			follow(exchange, key, new HashSet<>(), stops);
		}
		else if (key != null && this.live.queues().containsKey(key)) {
			stops.add(new Stop(key, key));
		}
		return stops;
	}

	/**
	 * Which exchanges messages may pass that are published to an exchange.
	 * @param exchange the exchange
	 * @return itself, if it exists, and those that it leads to
	 */
	Set<String> passed(String exchange) {
		Set<String> passed = new HashSet<>();
		follow(exchange, null, passed, new HashSet<>());
		return passed;
	}

	private void follow(String exchange, @Nullable String key, Set<String> passed, Set<Stop> stops) {
		ExchangeSnapshot there = this.live.exchanges().get(exchange);
		if (there == null || !passed.add(exchange)) {
			return;
		}
		List<BindingSnapshot> taken = this.bySource.getOrDefault(exchange, List.of())
			.stream()
			.filter((binding) -> matches(there.type(), binding.routingKey(), key))
			.toList();
		for (BindingSnapshot binding : taken) {
			if (binding.toQueue()) {
				stops.add(new Stop(binding.destination(), key));
			}
			else {
				follow(binding.destination(), key, passed, stops);
			}
		}
		String alternate = there.alternate(this.live.policies());
		if (alternate != null && (taken.isEmpty() || key == null)) {
			follow(alternate, key, passed, stops);
		}
	}

	private static boolean matches(String type, String pattern, @Nullable String key) {
		return key == null || switch (type) {
			case "direct" -> pattern.equals(key);
			case "topic" -> TopicPattern.matches(pattern, key);
			default -> true;
		};
	}

	/**
	 * A queue that a message comes to.
	 *
	 * @param queue the queue
	 * @param key the message's routing key, or {@code null} for any
	 */
	record Stop(String queue, @Nullable String key) {
	}

}
