/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.plan;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.rabbitretry.internal.broker.BrokerAccess;
import io.github.rabbitretry.internal.doctor.Severity;
import io.github.rabbitretry.internal.doctor.TopologyDoctor;
import io.github.rabbitretry.internal.management.ManagementClient;
import io.github.rabbitretry.internal.snapshot.BrokerSnapshot;
import io.github.rabbitretry.internal.snapshot.BrokerSnapshotReader;
import io.github.rabbitretry.internal.snapshot.ExchangeSnapshot;
import io.github.rabbitretry.internal.snapshot.ExpectedTopology;
import io.github.rabbitretry.internal.snapshot.QueueSnapshot;
import io.github.rabbitretry.internal.topology.ExchangeDefinition;
import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.internal.topology.QueueDefinition;
import io.github.rabbitretry.internal.topology.QueueRole;
import io.github.rabbitretry.internal.topology.QueueType;
import io.github.rabbitretry.internal.topology.TypeTopology;
import org.jspecify.annotations.Nullable;

/**
 * Compares the topology on the broker with the configured one and writes down the steps
 * between them. Sorts the queues on the broker: what is replaced, what is moved to a
 * queue of another name, what drains by itself, and what is left alone since it is not
 * certainly ours. For one plan.
 */
public final class TopologyPlanner {

	private static final Set<String> HARMFUL_TO_STAND_INS = Set.of("message-ttl", "expires", "max-length",
			"max-length-bytes", "overflow", "delivery-limit", "dead-letter-exchange");

	private final ExpectedTopology wanted;

	private final BrokerSnapshot live;

	private final QueueChanges changes = new QueueChanges();

	private final KnownQueues known;

	private final List<String> leftAlone = new ArrayList<>();

	TopologyPlanner(ExpectedTopology wanted, Collection<TypeTopology> former, BrokerSnapshot live) {
		this.wanted = wanted;
		this.live = live;
		this.known = new KnownQueues(live, this.changes.standIns());
		Map<String, MessageTopology> before = new LinkedHashMap<>();
		former.forEach((type) -> before.put(type.messageType(), type.topology()));
		for (TypeTopology type : wanted.types()) {
			this.known.add(type.topology(), type.topology());
			MessageTopology earlier = before.remove(type.messageType());
			if (earlier != null) {
				this.known.add(earlier, type.topology());
			}
		}
		before.keySet()
			.forEach((type) -> this.leftAlone
				.add("Message type '%s' is no longer configured: its queues are left alone.".formatted(type)));
	}

	/**
	 * Plans, from nothing but what is configured and what is on the broker: the plan
	 * after some steps is the rest of it.
	 * @param wanted what is configured
	 * @param former message types as they were configured before, if that is known
	 * @param broker how to reach the broker
	 * @return the plan
	 * @throws io.github.rabbitretry.internal.management.ManagementUnavailableException if
	 * the management API can't be asked
	 */
	public static TopologyPlan plan(ExpectedTopology wanted, Collection<TypeTopology> former, BrokerAccess broker) {
		ManagementClient client = new ManagementClient(broker.management());
		return new TopologyPlanner(wanted, former, new BrokerSnapshotReader(client, wanted).read()).plan();
	}

	TopologyPlan plan() {
		String obstacle = obstacle();
		if (obstacle != null) {
			return new TopologyPlan(List.of(), List.of(obstacle));
		}
		this.wanted.parts().exchanges().forEach(this::sort);
		this.live.queues().values().forEach(this::sortStandIn);
		this.wanted.parts().queues().forEach(this::sort);
		this.known.all()
			.stream()
			.filter((queue) -> !this.wanted.queues().containsKey(queue.model().name()))
			.forEach(this::sortFormer);
		this.live.queues().values().forEach(this::sortLeftover);
		TopologyDoctor.leftovers(this.wanted, this.live)
			.stream()
			.filter((finding) -> !this.changes.moved().containsKey(finding.subject())
					&& !this.changes.draining().containsKey(finding.subject()))
			.forEach((finding) -> this.leftAlone
				.add(finding.fact() + " It is left alone; the doctor says what can be done about it."));
		return new TopologyPlan(new PlanSteps(this.wanted, this.live, this.changes).steps(),
				this.leftAlone.stream().distinct().toList());
	}

	private @Nullable String obstacle() {
		if (!this.live.allBindings() || !this.live.unreadable().isEmpty()
				|| this.live.queueCount() > this.live.queues().size()) {
			return "Not all queues and bindings of the virtual host could be read, so nothing is certain: %s."
				.formatted(String.join("; ", this.live.unexamined()));
		}
		return TopologyDoctor.brokerPolicies(this.wanted, this.live)
			.stream()
			.filter((finding) -> finding.severity() != Severity.INFO && finding.code().equals("policy-unsafe"))
			.findFirst()
			.map((finding) -> "Run the doctor first, messages could be lost: " + finding.fact())
			.orElse(null);
	}

	private void sort(ExchangeDefinition model) {
		ExchangeSnapshot there = this.live.exchanges().get(model.name());
		if (there != null && (!there.durable() || there.autoDelete() || !there.type().equals(model.type())
				|| !there.arguments().equals(model.arguments()))) {
			leaveAlone("Exchange", model.name(),
					"it is declared differently, and producers may publish to it. Nothing is bound to it");
		}
	}

	private void leaveAlone(String what, String name, String why) {
		this.changes.blocked().add(name);
		this.leftAlone.add("%s '%s' is left alone: %s.".formatted(what, name, why));
	}

	private void sortStandIn(QueueSnapshot queue) {
		if (!QueueChanges.isStandIn(queue)) {
			return;
		}
		String of = queue.arguments().get(PlanCommands.MARK).toString();
		QueueDefinition model = this.wanted.queues().get(of);
		if (model != null && !model.existing()) {
			this.changes.standIns().add(of);
		}
		else {
			leaveAlone("Queue", queue.name(),
					"it stands for a queue that is not configured, and has %s".formatted(queue.content()));
		}
	}

	private void sort(QueueDefinition model) {
		QueueSnapshot there = this.live.queues().get(model.name());
		if (model.existing() && there == null) {
			leaveAlone("Queue", model.name(), "it does not exist, and its owner declares it");
		}
		if (model.existing() || there == null || there.isDeclaredAs(model)) {
			return;
		}
		String standIn = QueueChanges.standIn(model.name());
		String doubt = this.known.doubt(there);
		if (doubt == null && model.role() != QueueRole.RETRY) {
			if (this.live.queues().containsKey(standIn) && !this.changes.standIns().contains(model.name())) {
				doubt = "another queue is called '%s'".formatted(standIn);
			}
			else if (isTaken(standIn) || isTaken(model.name())) {
				doubt = "messages cannot be moved through an exchange that is another's";
			}
			else if (harmful(standIn)) {
				doubt = "a policy applies to '%s', where its messages would have to wait".formatted(standIn);
			}
		}
		if (doubt != null) {
			leaveAlone("Queue", model.name(),
					"it is declared differently, and not replaced since " + doubt + ". Nothing is bound to it");
			this.changes.standIns().remove(model.name());
		}
		else if (model.role() == QueueRole.RETRY) {
			this.changes.replaced().put(model.name(), this.known.workQueue(model.name()));
		}
		else {
			this.changes.replaced().put(model.name(), standIn);
			this.changes.standIns().add(model.name());
		}
	}

	private boolean harmful(String queue) {
		return this.live.policies()
			.ofQueue(queue, QueueType.QUORUM)
			.stream()
			.anyMatch((policy) -> policy.definition().keySet().stream().anyMatch(HARMFUL_TO_STAND_INS::contains));
	}

	/** Whether the exchange that messages would be moved through is another's. */
	private boolean isTaken(String queue) {
		ExchangeSnapshot exchange = this.live.exchanges().get(MessageTopology.movesTo(queue));
		return exchange != null && !queue.equals(exchange.arguments().get(PlanCommands.MARK));
	}

	private void sortFormer(KnownQueues.Known former) {
		String name = former.model().name();
		QueueSnapshot there = this.live.queues().get(name);
		if (there == null || former.model().role() == QueueRole.RETRY || this.changes.moved().containsKey(name)) {
			return;
		}
		String into = former.successor();
		String doubt = former.model().existing() ? "its owner declares it" : this.known.doubt(there);
		if (doubt == null && (this.changes.blocked().contains(into) || isTaken(into) || harmful(into))) {
			doubt = "'%s' cannot take its messages".formatted(into);
		}
		if (doubt == null) {
			this.changes.moved().put(name, into);
		}
		else {
			leaveAlone("Queue", name, doubt);
		}
	}

	private void sortLeftover(QueueSnapshot queue) {
		if (this.wanted.queues().containsKey(queue.name())) {
			return;
		}
		this.known.ofDrainingQueue(queue)
			.filter((workQueue) -> !this.changes.blocked().contains(workQueue))
			.ifPresent((workQueue) -> this.changes.draining().put(queue.name(), workQueue));
	}

}
