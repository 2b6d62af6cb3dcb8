/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.doctor;

import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;

import io.github.rabbitretry.internal.snapshot.BindingSnapshot;
import io.github.rabbitretry.internal.snapshot.BrokerSnapshot;
import io.github.rabbitretry.internal.snapshot.ExchangeSnapshot;
import io.github.rabbitretry.internal.snapshot.ExpectedTopology;
import io.github.rabbitretry.internal.snapshot.QueueSnapshot;
import io.github.rabbitretry.internal.topology.DelayLadder;
import io.github.rabbitretry.internal.topology.QueueDefinition;
import io.github.rabbitretry.internal.topology.QueueRole;
import io.github.rabbitretry.internal.topology.TopicPattern;
import org.jspecify.annotations.Nullable;

/**
 * What leads from exchanges that are not ours alone into queues that only we publish to.
 */
final class ForeignBindings {

	private final ExpectedTopology expected;

	private final BrokerSnapshot live;

	private final Set<String> own;

	private @Nullable Set<String> deadLettering;

	/**
	 * Creates it.
	 * @param expected what is expected
	 * @param live the virtual host
	 * @param own exchanges to which only this application publishes
	 */
	ForeignBindings(ExpectedTopology expected, BrokerSnapshot live, Set<String> own) {
		this.expected = expected;
		this.live = live;
		this.own = own;
	}

	/** Whether what comes that way goes to a work queue, too. */
	boolean doubles(BindingSnapshot binding) {
		return queue(binding) != null && this.live.bindings()
			.stream()
			.anyMatch((other) -> leadsToWork(other) && other.source().equals(binding.source())
					&& overlap(other, binding));
	}

	boolean contains(BindingSnapshot binding) {
		QueueDefinition queue = queue(binding);
		// each service binds the queues of the ladder
		return queue != null && !DelayLadder.hasExchange(queue.name()) && !isShared(binding, queue)
				&& (queue.role() != QueueRole.DEAD_LETTER || !deadLettering().contains(binding.source()));
	}

	/** The queue that must not receive messages of others. */
	private @Nullable QueueDefinition queue(BindingSnapshot binding) {
		if (!binding.toQueue() || binding.source().isEmpty() || this.own.contains(binding.source())
				|| DelayLadder.hasExchange(binding.source()) || this.expected.bindings().contains(binding.model())) {
			return null;
		}
		QueueDefinition queue = this.expected.queues().get(binding.destination());
		return (queue != null && queue.role() != QueueRole.WORK) ? queue : null;
	}

	private boolean leadsToWork(BindingSnapshot binding) {
		QueueDefinition queue = this.expected.queues().get(binding.destination());
		return binding.toQueue() && queue != null && queue.role() == QueueRole.WORK;
	}

	private boolean overlap(BindingSnapshot one, BindingSnapshot other) {
		ExchangeSnapshot source = this.live.exchanges().get(one.source());
		String type = (source != null) ? source.type() : "";
		return switch (type) {
			case "fanout" -> true;
			case "topic" -> TopicPattern.matches(one.routingKey(), other.routingKey())
					|| TopicPattern.matches(other.routingKey(), one.routingKey());
			default -> one.routingKey().equals(other.routingKey()) && one.arguments().equals(other.arguments());
		};
	}

	/** Another service parks there too, through a dead-letter exchange of its own. */
	private boolean isShared(BindingSnapshot binding, QueueDefinition queue) {
		ExchangeSnapshot source = this.live.exchanges().get(binding.source());
		return queue.role() != QueueRole.RETRY && binding.routingKey().equals(queue.name()) && source != null
				&& source.type().equals("direct");
	}

	/**
	 * What the broker dead-letters elsewhere may well lead to a dead-letter queue of
	 * ours. Exchanges to which queues dead-letter, and where these lead.
	 */
	private Set<String> deadLettering() {
		Set<String> exchanges = this.deadLettering;
		if (exchanges == null) {
			exchanges = new HashSet<>();
			if (this.live.queueCount() > this.live.queues().size() || !this.live.allBindings()) {
				// any may be one
				exchanges.addAll(this.live.exchanges().keySet());
			}
			for (QueueSnapshot queue : this.live.queues().values()) {
				Object exchange = queue.effective("dead-letter-exchange", this.live.policies());
				if (exchange != null) {
					follow(exchange.toString(), exchanges);
				}
			}
			this.deadLettering = exchanges;
		}
		return exchanges;
	}

	private void follow(String exchange, Set<String> passed) {
		ExchangeSnapshot there = this.live.exchanges().get(exchange);
		if (there == null || !passed.add(exchange)) {
			return;
		}
		Stream.concat(Stream.ofNullable(there.alternate(this.live.policies())),
				this.live.bindings()
					.stream()
					.filter((binding) -> !binding.toQueue() && binding.source().equals(exchange))
					.map(BindingSnapshot::destination))
			.forEach((next) -> follow(next, passed));
	}

}
