/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.declaration;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.topology.ExchangeDefinition;
import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.internal.topology.QueueDefinition;
import io.github.rabbitretry.internal.topology.QueueRole;
import io.github.rabbitretry.internal.broker.TopologyProblem;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.Declarable;
import org.springframework.amqp.core.Exchange;
import org.springframework.amqp.core.Queue;

/**
 * Finds the queues and exchanges that the application declares in one way and its message
 * policies in another. The first of the two would have the other one's declaration
 * refused.
 */
final class DeclarationConflicts {

	private final ApplicationDeclarables application;

	private final DeclarationOrigins origins;

	DeclarationConflicts(ApplicationDeclarables application, DeclarationOrigins origins) {
		this.application = application;
		this.origins = origins;
	}

	List<TopologyProblem> find(MessagePolicies policies) {
		List<TopologyProblem> problems = new ArrayList<>();
		List<ApplicationDeclarables.DeclaredBean> beans = this.application.all()
			.stream()
			.filter((bean) -> declaredHere(bean.declarable()))
			.toList();
		for (MessagePolicy policy : policies.all()) {
			for (ApplicationDeclarables.DeclaredBean bean : beans) {
				if (bean.declarable() instanceof Queue queue) {
					policy.topology()
						.queues()
						.stream()
						.filter((model) -> !model.existing() && model.name().equals(queue.getName()))
						.forEach((model) -> compare(policy, bean, queue, model).ifPresent(problems::add));
					if (policy.topology().hasExistingQueue() && policy.queue().equals(queue.getName())
							&& "stream".equals(queue.getArguments().get("x-queue-type"))) {
						problems.add(TopologyProblem.stream("queue '%s' (%s)".formatted(queue.getName(),
								this.origins.of(bean.name(), queue.getName()))));
					}
				}
				else if (bean.declarable() instanceof Exchange exchange) {
					policy.topology()
						.exchanges()
						.stream()
						.filter((model) -> model.name().equals(exchange.getName()))
						.forEach((model) -> compare(policy, bean, exchange, model).ifPresent(problems::add));
				}
			}
		}
		return problems;
	}

	/**
	 * Not a mere reference, nor one that only certain admins declare, elsewhere perhaps.
	 */
	private static boolean declaredHere(Declarable declarable) {
		return declarable.shouldDeclare() && declarable.getDeclaringAdmins().isEmpty()
				&& !declarable.isIgnoreDeclarationExceptions();
	}

	private Optional<TopologyProblem> compare(MessagePolicy policy, ApplicationDeclarables.DeclaredBean bean,
			Queue queue, QueueDefinition model) {
		TreeMap<String, @Nullable Object> theirs = new TreeMap<>(queue.getArguments());
		theirs.put("durable", queue.isDurable());
		theirs.put("exclusive", queue.isExclusive());
		theirs.put("auto-delete", queue.isAutoDelete());
		TreeMap<String, @Nullable Object> ours = new TreeMap<>(model.arguments());
		ours.put("durable", true);
		ours.put("exclusive", false);
		ours.put("auto-delete", false);
		TreeSet<String> keys = new TreeSet<>(theirs.keySet());
		keys.addAll(ours.keySet());
		if (!theirs.containsKey("x-queue-type")) {
			// the broker adds the virtual host's default type, which may be ours
			keys.remove("x-queue-type");
		}
		keys.removeIf((key) -> Objects.equals(comparable(theirs.get(key)), comparable(ours.get(key))));
		if (keys.isEmpty()) {
			return Optional.empty();
		}
		String differences = keys.stream()
			.map((key) -> "%s %s instead of %s".formatted(key, text(theirs.get(key)), text(ours.get(key))))
			.collect(Collectors.joining(", "));
		String origin = this.origins.of(bean.name(), queue.getName());
		return Optional
			.of(new TopologyProblem(PartDeclarer.name(model), "%s declares it differently from message policy '%s': %s"
				.formatted(origin, policy.messageType(), differences), remedy(policy, model, origin), true));
	}

	private static String remedy(MessagePolicy policy, QueueDefinition model, String origin) {
		if (model.role() == QueueRole.WORK) {
			return "Set rabbit-retry.message-policies.%s.work-queue to existing: the queue stays as the application declares it, and everything else is created. Or remove its declaration (%s), and delete the queue if it is on the broker, so that Rabbit Retry declares it."
				.formatted(policy.messageType(), origin);
		}
		return "Choose another name for the one that Rabbit Retry declares, with a key of rabbit-retry.message-policies.%s.names; rabbit-retry.ledger.adopt takes in what is in an old dead-letter queue. Or remove its declaration (%s), and delete the queue on the broker once it is empty, so that Rabbit Retry declares it."
			.formatted(policy.messageType(), origin);
	}

	private Optional<TopologyProblem> compare(MessagePolicy policy, ApplicationDeclarables.DeclaredBean bean,
			Exchange exchange, ExchangeDefinition model) {
		if (exchange.getType().equals(model.type()) && exchange.isDurable() && !exchange.isAutoDelete()
				&& !exchange.isInternal()) {
			return Optional.empty();
		}
		String kind = (exchange.isDurable() ? "durable " : "") + (exchange.isAutoDelete() ? "auto-delete " : "")
				+ (exchange.isInternal() ? "internal " : "") + exchange.getType();
		String origin = this.origins.of(bean.name(), exchange.getName());
		return Optional.of(
				new TopologyProblem(PartDeclarer.name(model),
						"%s declares it differently from message policy '%s': %s instead of durable %s"
							.formatted(origin, policy.messageType(), kind, model.type()),
						remedy(policy, model, origin), true));
	}

	private static String remedy(MessagePolicy policy, ExchangeDefinition model, String origin) {
		MessageTopology topology = policy.topology();
		boolean own = model.name().equals(topology.ringExchange())
				|| model.name().equals(topology.deadLetterExchange());
		return (own
				? "Choose another name for the one that Rabbit Retry declares, with a key of rabbit-retry.message-policies.%s.names. Or remove its declaration (%s)."
				: "Remove exchange and routing-keys from rabbit-retry.message-policies.%s, and leave the bindings to the application. Or remove its declaration (%s).")
			.formatted(policy.messageType(), origin);
	}

	private static @Nullable Object comparable(@Nullable Object value) {
		return (value instanceof Number number) ? (Object) number.longValue()
				: (value != null) ? value.toString() : null;
	}

	private static String text(@Nullable Object value) {
		return (value != null) ? "'" + value + "'" : "not set";
	}

}
