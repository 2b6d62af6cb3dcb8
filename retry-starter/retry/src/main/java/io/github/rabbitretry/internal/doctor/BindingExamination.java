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

import io.github.rabbitretry.internal.topology.BindingModel;
import io.github.rabbitretry.internal.topology.DelayLadder;
import io.github.rabbitretry.internal.topology.ExchangeModel;
import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.internal.topology.QueueModel;
import io.github.rabbitretry.internal.topology.QueueRole;

import org.springframework.amqp.core.Binding.DestinationType;

/**
 * Compares the bindings of our exchanges and queues with those on the broker.
 */
final class BindingExamination implements Examination {

	private static final String PAST_ALL = "*.".repeat(22);

	@Override
	public List<Finding> examine(ExpectedTopology expected, LiveBroker live) {
		List<Finding> findings = new ArrayList<>();
		Set<BindingModel> there = live.bindings().stream().map(LiveBinding::model).collect(Collectors.toSet());
		for (BindingModel model : expected.bindings()) {
			if (!there.contains(model) && endsExist(model, live)) {
				findings.add(FindingCode.BINDING_MISSING.of(model.destination(),
						"%s '%s' is not bound to exchange '%s' with key '%s'.".formatted(
								(model.type() == DestinationType.QUEUE) ? "Queue" : "Exchange", model.destination(),
								model.exchange(), model.routingKey()),
						"Bind it.", List.of(live.commands().bind(model))));
			}
		}
		Set<String> own = own(expected);
		for (LiveBinding binding : live.bindings()) {
			if (own.contains(binding.source()) && !expected.bindings().contains(binding.model())
					&& doubles(binding, expected)) {
				findings.add(FindingCode.BINDING_DOUBLES.of(binding.source(),
						"There is a %s, which no policy expects.".formatted(binding.description()), "Remove it.",
						List.of(live.commands().unbind(binding))));
			}
			else if (isForeign(binding, expected)) {
				findings.add(FindingCode.BINDING_FOREIGN.of(binding.destination(),
						"There is a %s, which no policy expects.".formatted(binding.description()), "Remove it.",
						List.of(live.commands().unbind(binding))));
			}
		}
		return findings;
	}

	/** What is missing itself is another finding, whose remedy binds it too. */
	private static boolean endsExist(BindingModel model, LiveBroker live) {
		return live.exchanges().containsKey(model.exchange()) && ((model.type() == DestinationType.QUEUE)
				? live.queues().containsKey(model.destination()) : live.exchanges().containsKey(model.destination()));
	}

	/** Those that nobody else publishes to. */
	private static Set<String> own(ExpectedTopology expected) {
		Set<String> own = expected.parts()
			.exchanges()
			.stream()
			.map(ExchangeModel::name)
			.filter(DelayLadder::hasExchange)
			.collect(Collectors.toSet());
		for (MessageTopology topology : expected.topologies()) {
			own.add(topology.ringExchange());
			own.add(topology.deadLetterExchange());
		}
		own.retainAll(expected.exchanges().keySet());
		return own;
	}

	private static boolean doubles(LiveBinding binding, ExpectedTopology expected) {
		if (binding.source().equals(DelayLadder.EXIT)) {
			// other services have queues of their own there
			return !binding.toQueue() || !binding.routingKey().equals(PAST_ALL + binding.destination());
		}
		if (DelayLadder.hasExchange(binding.source())) {
			return true;
		}
		return expected.bindings()
			.stream()
			.anyMatch((model) -> model.exchange().equals(binding.source())
					&& model.routingKey().equals(binding.routingKey()));
	}

	private static boolean isForeign(LiveBinding binding, ExpectedTopology expected) {
		if (!binding.toQueue() || binding.source().isEmpty() || expected.exchanges().containsKey(binding.source())) {
			return false;
		}
		QueueModel queue = expected.queues().get(binding.destination());
		// what the broker dead-letters elsewhere may well lead to our dead-letter queue
		return queue != null && queue.role() != QueueRole.WORK && queue.role() != QueueRole.DEAD_LETTER
				&& !DelayLadder.hasExchange(binding.source());
	}

}
