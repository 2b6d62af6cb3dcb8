/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.doctor;

import java.util.LinkedHashSet;
import java.util.Set;

import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.topology.BindingModel;
import io.github.rabbitretry.internal.topology.DelayLadder;
import io.github.rabbitretry.internal.topology.MessageTopology;

/**
 * What the application's user has to be permitted.
 *
 * @param configure names of queues and exchanges to declare
 * @param write names to publish to, to bind, or to dead-letter to
 * @param read names to consume, to bind from, or to dead-letter from
 */
record NeededPermissions(Set<String> configure, Set<String> write, Set<String> read) {

	private static final String DEFAULT_EXCHANGE = "amq.default";

	static NeededPermissions of(ExpectedTopology expected) {
		NeededPermissions needed = new NeededPermissions(new LinkedHashSet<>(), new LinkedHashSet<>(),
				new LinkedHashSet<>());
		expected.policies().all().forEach((policy) -> needed.work(policy, expected));
		if (expected.declared()) {
			needed.declare(expected);
		}
		return needed;
	}

	private void work(MessagePolicy policy, ExpectedTopology expected) {
		MessageTopology topology = policy.topology();
		this.read.add(topology.queue());
		if (policy.quarantined()) {
			this.read.add(topology.quarantine());
		}
		if (expected.deadLettersConsumed()) {
			this.read.add(topology.deadLetterQueue());
		}
		if (expected.exchanges().containsKey(topology.ringExchange())) {
			this.write.add(topology.ringExchange());
		}
		this.write.add(topology.deadLetterExchange());
		if (topology.hasLadder()) {
			this.write.add(DelayLadder.NAME);
		}
		if (topology.hasExistingQueue()) {
			this.write.add(DEFAULT_EXCHANGE);
		}
		if (policy.rejection() != null) {
			this.write.add(policy.rejection().exchange());
		}
	}

	private void declare(ExpectedTopology expected) {
		expected.parts().exchanges().forEach((exchange) -> {
			this.configure.add(exchange.name());
			Object alternate = exchange.arguments().get("alternate-exchange");
			if (alternate != null) {
				this.read.add(exchange.name());
				this.write.add(alternate.toString());
			}
		});
		expected.parts().queues().stream().filter((queue) -> !queue.existing()).forEach((queue) -> {
			this.configure.add(queue.name());
			Object exchange = queue.arguments().get("x-dead-letter-exchange");
			if (exchange != null) {
				this.read.add(queue.name());
				this.write.add(exchange.toString().isEmpty() ? DEFAULT_EXCHANGE : exchange.toString());
			}
		});
		for (BindingModel binding : expected.parts().bindings()) {
			this.write.add(binding.destination());
			this.read.add(binding.exchange());
		}
	}

}
