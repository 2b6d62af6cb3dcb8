/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.plan;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import io.github.rabbitretry.internal.brokerpolicy.PolicyExamination;
import io.github.rabbitretry.internal.snapshot.BindingSnapshot;
import io.github.rabbitretry.internal.snapshot.BrokerSnapshot;
import io.github.rabbitretry.internal.snapshot.ExpectedTopology;
import io.github.rabbitretry.internal.topology.BindingDefinition;
import io.github.rabbitretry.internal.topology.DelayLadder;
import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.internal.topology.QueueDefinition;
import io.github.rabbitretry.internal.topology.QueueRole;

import org.springframework.amqp.core.Binding.DestinationType;

/**
 * Writes the steps down, in an order in which a queue is bound before another is unbound,
 * and nothing is deleted before it was unbound and is empty.
 */
final class PlanSteps {

	private final ExpectedTopology wanted;

	private final BrokerSnapshot live;

	private final QueueChanges changes;

	private final PlanCommands commands;

	private final List<TopologyPlan.Step> steps = new ArrayList<>();

	PlanSteps(ExpectedTopology wanted, BrokerSnapshot live, QueueChanges changes) {
		this.wanted = wanted;
		this.live = live;
		this.changes = changes;
		this.commands = new PlanCommands(live.commands());
	}

	List<TopologyPlan.Step> steps() {
		Set<String> stopped = new TreeSet<>(this.changes.replaced().keySet());
		stopped.addAll(this.changes.moved().keySet());
		if (!stopped.isEmpty()) {
			this.steps.add(new TopologyPlan.Step(
					"Stop all instances of the service, and producers that publish by queue name, through the default exchange, to %s. RabbitMQ does not check that a quorum queue is empty when it deletes it: a message that arrives between check and deletion would be lost."
						.formatted(String.join(", ", stopped)),
					List.of()));
		}
		else if (!this.changes.draining().isEmpty()) {
			this.steps.add(new TopologyPlan.Step("Deploy the configuration to all instances.", List.of()));
		}
		declare();
		leadAway();
		replace();
		leadBack();
		removeSecondRoutes();
		deleteRest();
		return this.steps;
	}

	private void step(String what, List<String> commands) {
		if (!commands.isEmpty()) {
			this.steps.add(new TopologyPlan.Step(what, commands.stream().distinct().toList()));
		}
	}

	private void declare() {
		List<String> minimal = this.wanted.parts()
			.queues()
			.stream()
			.filter(QueueDefinition::minimal)
			.map(QueueDefinition::name)
			.toList();
		step("Set the policies that queues with minimal arguments need.",
				new PolicyExamination(this.wanted.topologies()).requiredCommands(minimal, this.live.policies(),
						this.live.virtualHost()));
		List<String> declare = new ArrayList<>();
		this.wanted.parts()
			.exchanges()
			.stream()
			.filter((exchange) -> !this.live.exchanges().containsKey(exchange.name()))
			.forEach((exchange) -> declare.add(this.live.commands().declare(exchange)));
		this.wanted.parts()
			.queues()
			.stream()
			.filter((queue) -> !queue.existing() && !this.live.queues().containsKey(queue.name()))
			.forEach((queue) -> declare.add(this.live.commands().declare(queue)));
		this.changes.standIns()
			.stream()
			.filter(this.changes.replaced()::containsKey)
			.forEach((queue) -> declare
				.add(this.commands.declareQueue(QueueChanges.standIn(queue), PlanCommands.standIn(queue))));
		Set<BindingDefinition> there = new LinkedHashSet<>();
		this.live.bindings().forEach((binding) -> there.add(binding.model()));
		this.wanted.bindings()
			.stream()
			.filter((binding) -> !there.contains(binding) && !this.changes.replaced().containsKey(binding.destination())
					&& !this.changes.standIns().contains(binding.destination()) && this.changes.allow(binding))
			.forEach((binding) -> declare.add(this.live.commands().bind(binding)));
		step("Declare what is missing.", declare);
	}

	private void leadAway() {
		List<String> lead = new ArrayList<>();
		List<String> move = new ArrayList<>();
		this.changes.away().forEach((queue, into) -> {
			for (BindingSnapshot binding : this.live.bindingsOf(queue)) {
				lead.add(isLed(queue, binding) ? this.commands.lead(binding, queue, this.changes.holder(into))
						: this.commands.unbind(binding, queue));
			}
			if (!this.changes.draining().containsKey(queue)) {
				move.add(this.commands.move(queue, this.changes.holder(into)));
			}
		});
		step("Bind the queues that take the place of others, and unbind those. What is published in between reaches both.",
				lead);
		if (!move.isEmpty() || !this.changes.standIns().isEmpty()) {
			move.add(0, PlanCommands.PLUGIN);
		}
		step("Move their messages. A message that the shovel cannot publish ends it and stays: see its log and move it by hand.",
				move);
	}

	/** Nothing is published to a retry queue any more but what is on the ladder. */
	private boolean isLed(String queue, BindingSnapshot binding) {
		QueueDefinition model = this.wanted.queues().get(queue);
		boolean retry = this.changes.draining().containsKey(queue) || model != null && model.role() == QueueRole.RETRY;
		return retry ? binding.source().equals(DelayLadder.EXIT)
				: !binding.source().equals(MessageTopology.movesTo(queue));
	}

	private void replace() {
		List<String> delete = new ArrayList<>(List.of(PlanCommands.WAIT));
		List<String> declare = new ArrayList<>();
		for (String queue : this.changes.replaced().keySet()) {
			delete.add(this.changes.standIns().contains(queue)
					? delete(queue) + " && " + removeExchange(QueueChanges.standIn(queue), queue) : delete(queue));
			declare.add(this.live.commands().declare(this.wanted.queues().get(queue)));
		}
		this.wanted.bindings()
			.stream()
			.filter((binding) -> this.changes.replaced().containsKey(binding.destination())
					&& !this.changes.standIns().contains(binding.destination()) && this.changes.allow(binding))
			.forEach((binding) -> declare.add(this.live.commands().bind(binding)));
		if (!this.changes.replaced().isEmpty()) {
			step("Delete the queues that are replaced. A command fails while its queue has messages, consumers or bindings: run it again until it succeeds.",
					delete);
			step("Declare them anew.", declare);
		}
	}

	private String delete(String queue) {
		return this.commands.deleteQueue(queue, this.live.queues().get(queue).type().equals("classic"));
	}

	private String removeExchange(String into, String queue) {
		return this.commands.removeExchange(into, this.changes.movedInto(into, queue));
	}

	private void leadBack() {
		List<String> lead = new ArrayList<>();
		List<String> move = new ArrayList<>();
		for (String queue : this.changes.standIns()) {
			String standIn = QueueChanges.standIn(queue);
			if (!this.changes.replaced().containsKey(queue)) {
				lead.add(removeExchange(standIn, queue));
			}
			this.wanted.bindings()
				.stream()
				.filter((binding) -> binding.destination().equals(queue) && this.changes.allow(binding))
				.forEach((binding) -> lead.add(this.live.commands().bind(binding)));
			Stream
				.concat(Stream.of(queue, standIn),
						this.changes.away()
							.entrySet()
							.stream()
							.filter((away) -> this.changes.holder(away.getValue()).equals(standIn))
							.map(Map.Entry::getKey))
				.distinct()
				.flatMap((name) -> this.live.bindingsOf(name).stream())
				.filter((binding) -> !List.of(MessageTopology.movesTo(queue), MessageTopology.movesTo(standIn))
					.contains(binding.source()))
				.forEach((binding) -> lead.add(this.commands.lead(binding, standIn, destination(binding, queue))));
			move.add(this.commands.move(standIn, queue));
		}
		step("Bind them again, and unbind the queues that stood for them.", lead);
		step("Move the messages back.", move);
	}

	private String destination(BindingSnapshot binding, String otherwise) {
		return this.wanted.bindings()
			.stream()
			.filter((model) -> model.type() == DestinationType.QUEUE && model.exchange().equals(binding.source())
					&& model.routingKey().equals(binding.routingKey()))
			.map(BindingDefinition::destination)
			.filter((queue) -> !this.changes.blocked().contains(queue))
			.findFirst()
			.orElse(otherwise);
	}

	/** What led past a retry queue that was gone, and is configured again. */
	private void removeSecondRoutes() {
		List<String> unbind = new ArrayList<>();
		for (BindingSnapshot binding : this.live.bindings()) {
			boolean ours = binding.toQueue() && this.wanted.queues().containsKey(binding.destination())
					&& binding.source().equals(DelayLadder.EXIT) && !this.wanted.bindings().contains(binding.model());
			if (ours && !destination(binding, binding.destination()).equals(binding.destination())) {
				unbind.add(this.commands.unbind(binding, binding.destination()));
			}
		}
		step("Remove bindings that lead messages to a second queue.", unbind);
	}

	private void deleteRest() {
		List<String> delete = new ArrayList<>();
		this.changes.standIns()
			.forEach((queue) -> delete.add(this.commands.deleteQueue(QueueChanges.standIn(queue), false)));
		Stream.concat(this.changes.moved().keySet().stream(), this.changes.draining().keySet().stream())
			.forEach((queue) -> delete.add(delete(queue)));
		if (!delete.isEmpty()) {
			delete.add(0, PlanCommands.WAIT);
		}
		Set<String> targets = this.changes.targets();
		this.live.exchanges().forEach((name, exchange) -> {
			Object into = exchange.arguments().get(PlanCommands.MARK);
			if (into != null && name.equals(MessageTopology.movesTo(into.toString()))) {
				targets.add(into.toString());
			}
		});
		targets.stream()
			.filter((target) -> this.changes.standIns().stream().map(QueueChanges::standIn).noneMatch(target::equals))
			.forEach((target) -> delete.add(removeExchange(target, target)));
		step("Delete what is left over. A command fails while its queue has messages, consumers or bindings: run it again later. Messages in retry queues come back at the end of their delay.",
				delete);
	}

}
