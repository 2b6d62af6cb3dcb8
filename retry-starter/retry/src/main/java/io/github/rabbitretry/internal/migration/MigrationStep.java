/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.migration;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.github.rabbitretry.internal.topology.DelayLevel;
import io.github.rabbitretry.internal.topology.ExchangeModel;
import org.jspecify.annotations.Nullable;

/**
 * One step of a migration. Each can be repeated, and what it did is seen on the broker.
 */
public sealed interface MigrationStep {

	/**
	 * What is done.
	 * @return a word or two
	 */
	String action();

	/**
	 * What it is done to.
	 * @return a name, or names
	 */
	String subject();

	/**
	 * More about it.
	 * @return a text, may be empty
	 */
	String detail();

	/**
	 * Declares an exchange.
	 *
	 * @param exchange the exchange
	 */
	record CreateExchange(ExchangeModel exchange) implements MigrationStep {

		@Override
		public String action() {
			return "create exchange";
		}

		@Override
		public String subject() {
			return this.exchange.name();
		}

		@Override
		public String detail() {
			return this.exchange.type();
		}

	}

	/**
	 * Declares a queue.
	 *
	 * @param queue its name
	 * @param arguments its arguments
	 */
	record CreateQueue(String queue, Map<String, Object> arguments) implements MigrationStep {

		@Override
		public String action() {
			return "create queue";
		}

		@Override
		public String subject() {
			return this.queue;
		}

		@Override
		public String detail() {
			return this.arguments.entrySet()
				.stream()
				.map((entry) -> entry.getKey() + "=" + entry.getValue())
				.collect(Collectors.joining(", "));
		}

	}

	/**
	 * Binds.
	 *
	 * @param route the binding
	 */
	record Bind(Route route) implements MigrationStep {

		@Override
		public String action() {
			return "bind";
		}

		@Override
		public String subject() {
			return this.route.destination();
		}

		@Override
		public String detail() {
			return this.route.toString();
		}

	}

	/**
	 * Removes a binding.
	 *
	 * @param route the binding
	 */
	record Unbind(Route route) implements MigrationStep {

		@Override
		public String action() {
			return "unbind";
		}

		@Override
		public String subject() {
			return this.route.destination();
		}

		@Override
		public String detail() {
			return this.route.toString();
		}

	}

	/**
	 * Moves messages: each is published to the other queue, confirmed, and only then
	 * acknowledged.
	 *
	 * @param from the queue that gets empty
	 * @param into the queue that takes them
	 * @param rest whether all are moved; if not, as many as there are at the beginning,
	 * since others may come as fast
	 */
	record Move(String from, String into, boolean rest) implements MigrationStep {

		@Override
		public String action() {
			return "move messages";
		}

		@Override
		public String subject() {
			return this.from;
		}

		@Override
		public String detail() {
			return (this.rest ? "the rest, into " : "into ") + this.into;
		}

	}

	/**
	 * Waits until queues are empty, for good.
	 *
	 * @param queues the queues
	 * @param longest how long messages may be in them
	 */
	record Drain(List<String> queues, Duration longest) implements MigrationStep {

		public Drain {
			queues = List.copyOf(queues);
		}

		@Override
		public String action() {
			return "wait until empty";
		}

		@Override
		public String subject() {
			return String.join(", ", this.queues);
		}

		@Override
		public String detail() {
			return this.longest.isZero() ? "" : "messages wait there for up to " + new DelayLevel(this.longest);
		}

	}

	/**
	 * Deletes a queue that is empty, unbound and not consumed.
	 *
	 * @param queue its name
	 * @param arguments the arguments that it must have
	 * @param into the queue that takes what arrives in the last moment, or {@code null}
	 */
	record DeleteQueue(String queue, Map<String, Object> arguments, @Nullable String into) implements MigrationStep {

		@Override
		public String action() {
			return "delete queue";
		}

		@Override
		public String subject() {
			return this.queue;
		}

		@Override
		public String detail() {
			return "if it is empty, unbound and not consumed";
		}

	}

	/**
	 * Deletes an exchange that leads nowhere.
	 *
	 * @param exchange its name
	 */
	record DeleteExchange(String exchange) implements MigrationStep {

		@Override
		public String action() {
			return "delete exchange";
		}

		@Override
		public String subject() {
			return this.exchange;
		}

		@Override
		public String detail() {
			return "if it leads nowhere";
		}

	}

}
