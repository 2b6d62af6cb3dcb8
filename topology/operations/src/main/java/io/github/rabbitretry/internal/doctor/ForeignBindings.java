/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.doctor;

import java.util.List;

import io.github.rabbitretry.internal.snapshot.BindingSnapshot;
import io.github.rabbitretry.internal.snapshot.BrokerSnapshot;
import io.github.rabbitretry.internal.snapshot.ExchangeSnapshot;
import io.github.rabbitretry.internal.snapshot.ExpectedTopology;
import io.github.rabbitretry.internal.topology.DelayLadder;
import io.github.rabbitretry.internal.topology.QueueDefinition;
import io.github.rabbitretry.internal.topology.QueueRole;
import io.github.rabbitretry.internal.topology.TopicPattern;
import org.jspecify.annotations.Nullable;

/**
 * What leads from exchanges that are not ours alone into queues that only we publish to.
 *
 * @param expected what message policies expect
 * @param live what the broker has
 */
record ForeignBindings(ExpectedTopology expected, BrokerSnapshot live) {

	/**
	 * Judges a binding.
	 * @param binding a binding of an exchange to which others publish, too
	 * @return what is wrong with it, or {@code null} if nothing is
	 */
	@Nullable Finding finding(BindingSnapshot binding) {
		QueueDefinition queue = this.expected.queues().get(binding.destination());
		if (!binding.toQueue() || queue == null || queue.role() == QueueRole.WORK || binding.source().isEmpty()
				|| DelayLadder.hasExchange(binding.source()) || this.expected.bindings().contains(binding.model())) {
			return null;
		}
		boolean doubled = this.live.bindings()
			.stream()
			.anyMatch((other) -> leadsToWork(other) && other.source().equals(binding.source())
					&& overlap(other, binding));
		// each service binds the queues of the ladder
		if (!doubled && (DelayLadder.hasExchange(queue.name()) || isShared(binding, queue)
				|| queue.role() == QueueRole.DEAD_LETTER && takesDeadLetters(binding.source()))) {
			return null;
		}
		return FindingCode.BINDING_UNEXPECTED.of(doubled ? Severity.ERROR : Severity.WARNING, binding.destination(),
				"There is a %s, which no policy expects%s.".formatted(binding.description(),
						doubled ? ", and from there messages go to a work queue, too" : ""),
				BindingCheck.ASK, List.of(this.live.commands().ctl("list_bindings")));
	}

	private boolean leadsToWork(BindingSnapshot binding) {
		QueueDefinition queue = this.expected.queues().get(binding.destination());
		return binding.toQueue() && queue != null && queue.role() == QueueRole.WORK;
	}

	private boolean overlap(BindingSnapshot one, BindingSnapshot other) {
		ExchangeSnapshot source = this.live.exchanges().get(one.source());
		return switch ((source != null) ? source.type() : "") {
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
	 * ours. Where not everything was read, any exchange may take dead letters.
	 */
	private boolean takesDeadLetters(String exchange) {
		Routes routes = new Routes(this.live);
		return !this.live.allQueues() || !this.live.allBindings()
				|| this.live.queues()
					.values()
					.stream()
					.map((queue) -> String.valueOf(queue.effective("dead-letter-exchange", this.live.policies())))
					.distinct()
					.anyMatch((first) -> routes.passed(first).contains(exchange));
	}

}
