/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.rabbitretry.internal.snapshot.BindingSnapshot;
import io.github.rabbitretry.internal.snapshot.BrokerSnapshot;
import io.github.rabbitretry.internal.snapshot.ExpectedTopology;
import io.github.rabbitretry.internal.snapshot.QueueSnapshot;
import io.github.rabbitretry.internal.topology.BindingDefinition;
import io.github.rabbitretry.internal.topology.DelayLadder;
import io.github.rabbitretry.internal.topology.ExchangeDefinition;
import io.github.rabbitretry.internal.topology.MessageTopology;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.Binding.DestinationType;

/**
 * Compares the bindings of our exchanges and queues with those on the broker.
 */
final class BindingCheck implements DoctorCheck {

	private static final String PAST_ALL = "*.".repeat(22);

	private static final String NOT_SURE = "No command is printed, since one of them is declared differently and may be another's of the same name. Find out whose it is. If it is, give the policy other names.";

	static final String ASK = "Find out who bound it, and have that service remove it if it is not wanted.";

	@Override
	public List<Finding> examine(ExpectedTopology expected, BrokerSnapshot live) {
		List<Finding> findings = new ArrayList<>();
		Set<BindingDefinition> there = live.bindings().stream().map(BindingSnapshot::model).collect(Collectors.toSet());
		for (BindingDefinition model : expected.bindings()) {
			if (!there.contains(model) && endsExist(model, live) && !live.mayHave(model)) {
				boolean sure = live.hasEndsOf(model, expected);
				findings.add(FindingCode.BINDING_MISSING.of(model.destination(),
						"%s '%s' is not bound to exchange '%s' with key '%s'.".formatted(
								(model.type() == DestinationType.QUEUE) ? "Queue" : "Exchange", model.destination(),
								model.exchange(), model.routingKey()),
						sure ? "Bind it." : NOT_SURE, sure ? List.of(live.commands().bind(model)) : look(live)));
			}
		}
		Set<String> own = own(expected);
		ForeignBindings foreign = new ForeignBindings(expected, live);
		for (BindingSnapshot binding : live.bindings()) {
			Finding finding = own.contains(binding.source()) ? ownExchange(binding, expected, live)
					: foreign.finding(binding);
			if (finding != null) {
				findings.add(finding);
			}
		}
		return findings;
	}

	private static @Nullable Finding ownExchange(BindingSnapshot binding, ExpectedTopology expected,
			BrokerSnapshot live) {
		if (expected.bindings().contains(binding.model()) || DelayLadder.hasBinding(binding.model())
				|| !doubles(binding, expected, live)) {
			return null;
		}
		return isOthers(binding, expected) ? others(binding, live)
				: FindingCode.BINDING_UNEXPECTED.of(binding.source(),
						"There is a %s, which no policy expects.".formatted(binding.description()), "Remove it.",
						List.of(live.commands().unbind(binding)));
	}

	private static List<String> look(BrokerSnapshot live) {
		return List.of(live.commands().ctl("list_bindings"));
	}

	/** What is missing itself is another finding, whose remedy binds it too. */
	private static boolean endsExist(BindingDefinition model, BrokerSnapshot live) {
		return live.exchanges().containsKey(model.exchange()) && live.hasDestination(model);
	}

	/** Those to which only this application publishes. */
	private static Set<String> own(ExpectedTopology expected) {
		Set<String> own = expected.parts()
			.exchanges()
			.stream()
			.map(ExchangeDefinition::name)
			.filter(DelayLadder::hasExchange)
			.collect(Collectors.toSet());
		for (MessageTopology topology : expected.topologies()) {
			own.add(topology.ringExchange());
			own.add(topology.deadLetterExchange());
		}
		own.retainAll(expected.exchanges().keySet());
		return own;
	}

	private static boolean doubles(BindingSnapshot binding, ExpectedTopology expected, BrokerSnapshot live) {
		if (binding.source().equals(DelayLadder.EXIT)) {
			// other services have queues of their own there
			return !binding.toQueue() || !isExit(binding.routingKey())
					|| !binding.routingKey().equals(PAST_ALL + binding.destination())
							&& leadsElsewhereToo(binding, expected, live);
		}
		return DelayLadder.hasExchange(binding.source()) || leadsElsewhereToo(binding, expected, live);
	}

	/** Past all levels, for the messages of one queue. */
	private static boolean isExit(String routingKey) {
		return routingKey.startsWith(PAST_ALL)
				&& Stream.of(routingKey.substring(PAST_ALL.length()).split("\\.", -1)).noneMatch("[*#]"::matches);
	}

	/** Whether the same messages are expected elsewhere, or go elsewhere. */
	private static boolean leadsElsewhereToo(BindingSnapshot binding, ExpectedTopology expected, BrokerSnapshot live) {
		return expected.bindings()
			.stream()
			.anyMatch((model) -> model.exchange().equals(binding.source())
					&& model.routingKey().equals(binding.routingKey()))
				|| live.bindings()
					.stream()
					.anyMatch((other) -> !other.equals(binding) && other.source().equals(binding.source())
							&& other.routingKey().equals(binding.routingKey()));
	}

	/** Another's queue gets what is published to ours, and ours still gets it once. */
	private static boolean isOthers(BindingSnapshot binding, ExpectedTopology expected) {
		return binding.toQueue() ? !expected.queues().containsKey(binding.destination())
				: !expected.exchanges().containsKey(binding.destination());
	}

	/** What others bind is theirs to remove. */
	private static Finding others(BindingSnapshot binding, BrokerSnapshot live) {
		QueueSnapshot queue = binding.toQueue() ? live.queues().get(binding.destination()) : null;
		if (queue != null && queue.mayRefuse(live.policies())) {
			return FindingCode.BINDING_UNEXPECTED.of(binding.source(),
					"There is a %s, which refuses copies when it is full: then they are published again and again, and our queue gets one more each time."
						.formatted(binding.description()),
					ASK + " Or have the queue's owner give it overflow drop-head.", look(live));
		}
		return FindingCode.BINDING_UNEXPECTED
			.of(binding.source(), "There is a %s, which gets copies of what is ours.".formatted(binding.description()),
					ASK, look(live))
			.with(binding.toQueue() ? Severity.INFO : Severity.WARNING);
	}

}
