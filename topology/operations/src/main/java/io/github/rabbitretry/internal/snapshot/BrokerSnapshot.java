/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.snapshot;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.github.rabbitretry.internal.brokerpolicy.BrokerPolicies;
import io.github.rabbitretry.internal.topology.BindingDefinition;
import io.github.rabbitretry.internal.topology.ExchangeDefinition;
import io.github.rabbitretry.internal.topology.QueueDefinition;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.Binding.DestinationType;

/**
 * A virtual host as the management API describes it, read once.
 *
 * @param virtualHost its name
 * @param url where the management API is
 * @param version the broker's version
 * @param queues the queues by name, all of them unless there are too many
 * @param queueCount how many there are
 * @param exchanges the exchanges by name
 * @param bindings the bindings; those of our exchanges at least
 * @param allBindings whether these are all
 * @param unreadable bindings that the management API can't describe
 * @param policies user policies and operator policies
 * @param consumers the consumers, empty if they can't be known
 * @param connections the connections by the broker's name for them
 * @param user the application's user, or {@code null} if that can't be known
 * @param alarms the alarms, each in words
 * @param unexamined what could not be found out, and why
 */
public record BrokerSnapshot(String virtualHost, String url, String version, Map<String, QueueSnapshot> queues,
		long queueCount, Map<String, ExchangeSnapshot> exchanges, List<BindingSnapshot> bindings, boolean allBindings,
		List<UnreadableBinding> unreadable, BrokerPolicies policies, Optional<List<ConsumerSnapshot>> consumers,
		Map<String, ConnectionSnapshot> connections, @Nullable UserSnapshot user, List<String> alarms,
		List<String> unexamined) {

	public RemedyCommands commands() {
		return new RemedyCommands(this.url, this.virtualHost);
	}

	/** Whether no queue was left out. */
	public boolean allQueues() {
		return this.queueCount <= this.queues.size();
	}

	public boolean hasDestination(BindingDefinition binding) {
		return (binding.type() == DestinationType.QUEUE) ? this.queues.containsKey(binding.destination())
				: this.exchanges.containsKey(binding.destination());
	}

	/**
	 * Whether both ends of a binding, where they exist, are what is expected. Others may
	 * have a queue or an exchange of the same name, to which nothing must be bound.
	 * @param binding the binding
	 * @param expected what message policies expect
	 * @return {@code false} if one is declared differently
	 */
	public boolean hasEndsOf(BindingDefinition binding, ExpectedTopology expected) {
		boolean destination = (binding.type() == DestinationType.QUEUE)
				? isAsExpected(expected.queues().get(binding.destination()))
				: isAsExpected(expected.exchanges().get(binding.destination()));
		return destination && isAsExpected(expected.exchanges().get(binding.exchange()));
	}

	private boolean isAsExpected(@Nullable QueueDefinition model) {
		QueueSnapshot queue = (model != null) ? this.queues.get(model.name()) : null;
		return queue == null || model == null || model.existing() || queue.isDeclaredAs(model);
	}

	boolean isAsExpected(@Nullable ExchangeDefinition model) {
		ExchangeSnapshot exchange = (model != null) ? this.exchanges.get(model.name()) : null;
		return exchange == null || model == null || exchange.durable() && !exchange.autoDelete() && !exchange.internal()
				&& exchange.type().equals(model.type()) && exchange.arguments().equals(model.arguments());
	}

	public List<ConsumerSnapshot> consumersOf(String queue) {
		return this.consumers.orElse(List.of()).stream().filter((consumer) -> consumer.queue().equals(queue)).toList();
	}

	public List<BindingSnapshot> bindingsOf(String queue) {
		return this.bindings.stream()
			.filter((binding) -> binding.toQueue() && binding.destination().equals(queue)
					&& !binding.source().isEmpty())
			.toList();
	}

	/** Whether a binding may be there although it was not read. */
	public boolean mayHave(BindingDefinition binding) {
		return this.unreadable.stream()
			.anyMatch((unreadable) -> unreadable.source().equals(binding.exchange())
					&& unreadable.destination().equals(binding.destination())
					&& unreadable.toQueue() == (binding.type() == DestinationType.QUEUE));
	}

	/**
	 * A consumer as the broker has it.
	 *
	 * @param queue the queue
	 * @param tag its tag
	 * @param exclusive whether it is the only consumer allowed
	 * @param connection the connection, as the broker names it
	 */
	public record ConsumerSnapshot(String queue, String tag, boolean exclusive, String connection) {
	}

	/**
	 * A connection as the broker has it.
	 *
	 * @param name how the broker names it
	 * @param givenName how the client names it, or empty
	 * @param user as whom it is connected
	 * @param state its state as the broker calls it
	 * @param published how many messages were published on its channels that are open
	 */
	public record ConnectionSnapshot(String name, String givenName, String user, String state, long published) {
	}

	/**
	 * The application's user as the broker has it.
	 *
	 * @param name the user
	 * @param tags the user's tags
	 * @param configure the pattern of what the user may configure, or {@code null}
	 * without access to the virtual host
	 * @param write the pattern of what the user may write to
	 * @param read the pattern of what the user may read
	 */
	public record UserSnapshot(String name, List<String> tags, @Nullable String configure, @Nullable String write,
			@Nullable String read) {
	}

	/**
	 * One or several bindings between the same two ends, of which the management API
	 * reports only that they exist.
	 *
	 * @param source the exchange
	 * @param destination the queue or exchange
	 * @param toQueue whether the destination is a queue
	 * @param reason what the management API answers
	 */
	public record UnreadableBinding(String source, String destination, boolean toQueue, String reason) {

		/**
		 * Tells whether these lead to a queue.
		 * @param queue its name
		 * @return whether they do
		 */
		public boolean leadsToQueue(String queue) {
			return this.toQueue && this.destination.equals(queue);
		}

		/**
		 * Tells whether these begin or end at an exchange.
		 * @param exchange its name
		 * @return whether they do
		 */
		public boolean isAtExchange(String exchange) {
			return this.source.equals(exchange) || !this.toQueue && this.destination.equals(exchange);
		}

		/** These, and what the management API answers, in words. */
		String description() {
			return "bindings of %s '%s' to exchange '%s': %s".formatted(this.toQueue ? "queue" : "exchange",
					this.destination, this.source, this.reason);
		}

	}

}
