/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.doctor;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

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

	private final Map<String, List<BindingSnapshot>> bySource = new HashMap<>();

	Routes(BrokerSnapshot live) {
		this.live = live;
		live.bindings()
			.forEach((binding) -> this.bySource.computeIfAbsent(binding.source(), (source) -> new ArrayList<>())
				.add(binding));
	}

	/**
	 * Where dead letters of a queue go.
	 * @param queue the queue
	 * @param key with which key they came into it, or {@code null} for any
	 * @return queues, with the key that messages have there
	 */
	Set<Stop> deadLetters(QueueSnapshot queue, @Nullable String key) {
		Object exchange = queue.effective("dead-letter-exchange", this.live.policies());
		if (exchange == null) {
			return Set.of();
		}
		Object own = queue.effective("dead-letter-routing-key", this.live.policies());
		return published(exchange.toString(), (own != null) ? own.toString() : key);
	}

	/**
	 * Where messages go.
	 * @param exchange the exchange
	 * @param key with which key, or {@code null} for any
	 * @return queues, with that key
	 */
	Set<Stop> published(String exchange, @Nullable String key) {
		Set<Stop> stops = new LinkedHashSet<>();
		publish(exchange, key, stops, new HashSet<>());
		return stops;
	}

	private void publish(String exchange, @Nullable String key, Set<Stop> stops, Set<String> passed) {
		if (exchange.isEmpty()) {
			if (key != null && this.live.queues().containsKey(key)) {
				stops.add(new Stop(key, key));
			}
			return;
		}
		ExchangeSnapshot there = this.live.exchanges().get(exchange);
		if (there == null || !passed.add(exchange)) {
			return;
		}
		boolean routed = false;
		for (BindingSnapshot binding : this.bySource.getOrDefault(exchange, List.of())) {
			if (matches(there.type(), binding.routingKey(), key)) {
				routed = true;
				if (binding.toQueue()) {
					stops.add(new Stop(binding.destination(), key));
				}
				else {
					publish(binding.destination(), key, stops, passed);
				}
			}
		}
		String alternate = there.alternate(this.live.policies());
		if (alternate != null && (!routed || key == null)) {
			publish(alternate, key, stops, passed);
		}
	}

	/**
	 * Whether all bindings are known on which messages may go on from an exchange.
	 * @param exchange the exchange
	 * @return whether they are
	 */
	boolean known(String exchange) {
		return known(exchange, new HashSet<>());
	}

	private boolean known(String exchange, Set<String> passed) {
		ExchangeSnapshot there = this.live.exchanges().get(exchange);
		if (there == null || !passed.add(exchange)) {
			return true;
		}
		String alternate = there.alternate(this.live.policies());
		return this.live.unreadable().stream().noneMatch((unreadable) -> unreadable.source().equals(exchange))
				&& (alternate == null || known(alternate, passed))
				&& this.bySource.getOrDefault(exchange, List.of())
					.stream()
					.allMatch((binding) -> binding.toQueue() || known(binding.destination(), passed));
	}

	private static boolean matches(String type, String pattern, @Nullable String key) {
		if (key == null) {
			return true;
		}
		return switch (type) {
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
