/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.doctor;

import java.util.Set;

import io.github.rabbitretry.internal.snapshot.BindingSnapshot;
import io.github.rabbitretry.internal.snapshot.BrokerSnapshot;
import io.github.rabbitretry.internal.snapshot.BrokerSnapshot.UnreadableBinding;
import io.github.rabbitretry.internal.snapshot.QueueSnapshot;
import io.github.rabbitretry.internal.topology.BindingDefinition;
import org.jspecify.annotations.Nullable;

/**
 * Who uses a queue or an exchange, as far as the broker knows: consumers, bindings,
 * dead-letter routes through named exchanges and the default one, alternate exchanges.
 * What was not read counts as use.
 *
 * @param live what the broker has
 */
record QueueUsers(BrokerSnapshot live) {

	/**
	 * Finds out who uses a queue.
	 * @param queue the queue's name
	 * @param known bindings that are no use of others
	 * @return its users, in words, or {@code null} if none is known
	 */
	@Nullable String ofQueue(String queue, Set<BindingDefinition> known) {
		if (this.live.consumers().isEmpty()) {
			return "whether it has consumers is not known";
		}
		if (!this.live.consumersOf(queue).isEmpty()) {
			return "it has a consumer";
		}
		return leadingTo(queue, known);
	}

	/**
	 * Finds out what brings messages to a queue.
	 * @param queue the queue's name
	 * @param known bindings that are no use of others
	 * @return what does, in words, or {@code null} if nothing is known
	 */
	@Nullable String leadingTo(String queue, Set<BindingDefinition> known) {
		for (BindingSnapshot binding : this.live.bindingsOf(queue)) {
			if (!known.contains(binding.model())) {
				return "exchange '%s' leads to it".formatted(binding.source());
			}
		}
		for (UnreadableBinding binding : this.live.unreadable()) {
			if (binding.leadsToQueue(queue)) {
				return "exchange '%s' leads to it".formatted(binding.source());
			}
		}
		if (!this.live.allBindings()) {
			return "which exchanges lead to it is not known";
		}
		if (!this.live.allQueues()) {
			return "which queues dead-letter to it is not known";
		}
		return this.live.queues()
			.values()
			.stream()
			.filter((other) -> deadLettersByDefaultExchange(other, queue))
			.findFirst()
			.map((other) -> "queue '%s' dead-letters to it".formatted(other.name()))
			.orElse(null);
	}

	/** Without a routing key of its own, a queue's dead letters keep theirs: any. */
	private boolean deadLettersByDefaultExchange(QueueSnapshot other, String queue) {
		Object key = other.effective("dead-letter-routing-key", this.live.policies());
		return "".equals(other.effective("dead-letter-exchange", this.live.policies()))
				&& (key == null || key.equals(queue));
	}

	/**
	 * Whether others than some queues use an exchange.
	 * @param exchange the exchange's name
	 * @param own these queues
	 * @return {@code false} if nothing else is bound to it or dead-letters to it
	 */
	boolean ofExchange(String exchange, Set<String> own) {
		return !this.live.allBindings() || !this.live.allQueues()
				|| this.live.unreadable().stream().anyMatch((one) -> one.isAtExchange(exchange))
				|| this.live.bindings()
					.stream()
					.anyMatch((binding) -> binding.source().equals(exchange)
							&& !(binding.toQueue() && own.contains(binding.destination()))
							|| !binding.toQueue() && binding.destination().equals(exchange))
				|| this.live.exchanges()
					.values()
					.stream()
					.anyMatch((other) -> exchange.equals(other.alternate(this.live.policies())))
				|| this.live.queues()
					.values()
					.stream()
					.anyMatch((queue) -> !own.contains(queue.name())
							&& exchange.equals(queue.effective("dead-letter-exchange", this.live.policies())));
	}

}
