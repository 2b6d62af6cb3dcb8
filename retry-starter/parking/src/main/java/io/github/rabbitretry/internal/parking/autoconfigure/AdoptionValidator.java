/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.autoconfigure;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.rabbitretry.internal.configuration.AdoptedQueue;
import io.github.rabbitretry.internal.parking.ingestion.Adoption;
import io.github.rabbitretry.internal.parking.mapping.LedgerPolicy;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.topology.BindingDefinition;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import io.github.rabbitretry.internal.topology.QueueDefinition;

import org.springframework.amqp.core.Binding;

/**
 * Checks which queues the ledger is to adopt.
 */
final class AdoptionValidator {

	private static final String PROPERTY = "rabbit-retry.ledger.adopt";

	private AdoptionValidator() {
	}

	/** Bindings of listeners are beans only once these are. */
	static Adoption of(List<AdoptedQueue> queues, MessagePolicies policies, Collection<LedgerPolicy> ledgerPolicies,
			Supplier<Stream<Binding>> bindings) {
		Set<String> seen = new HashSet<>();
		for (AdoptedQueue adopted : queues) {
			String queue = adopted.name();
			if (queue.isBlank() || !queue.equals(queue.strip())) {
				throw new InvalidConfigurationException(PROPERTY, queue,
						"must be the name of a queue, without blanks around it",
						"Write the name as the broker shows it.");
			}
			if (!seen.add(queue)) {
				throw new InvalidConfigurationException(PROPERTY, queue, "is named twice", "Name it once.");
			}
			policies.all().forEach((policy) -> check(queue, policy));
			check(adopted, policies);
		}
		return new Adoption(queues, ledgerPolicies,
				() -> Stream
					.concat(policies.all().stream().flatMap((policy) -> policy.topology().bindings().stream()),
							bindings.get().filter(Binding::isDestinationQueue).map(AdoptionValidator::definition))
					.toList());
	}

	private static BindingDefinition definition(Binding binding) {
		return new BindingDefinition(binding.getExchange(), binding.getRoutingKey(), binding.getDestinationType(),
				binding.getDestination());
	}

	private static void check(AdoptedQueue adopted, MessagePolicies policies) {
		List<String> known = policies.all().stream().map(MessagePolicy::messageType).toList();
		if (adopted.messageType() != null && !known.contains(adopted.messageType())) {
			throw new InvalidConfigurationException("%s.%s".formatted(PROPERTY, adopted.name()), adopted.messageType(),
					"is no message type with a policy here", "Write one of %s.".formatted(String.join(", ", known)));
		}
	}

	private static void check(String queue, MessagePolicy policy) {
		Stream<String> former = policy.topology()
			.formerQueues()
			.stream()
			.flatMap((name) -> Stream.of(name.queue(), name.deadLetterQueue(), name.quarantine(), name.parkingLot()));
		if (Stream.concat(policy.topology().queues().stream().map(QueueDefinition::name), former)
			.anyMatch(queue::equals)) {
			throw new InvalidConfigurationException(PROPERTY, queue,
					"is a queue of message policy '%s', whose messages would be taken from their consumer"
						.formatted(policy.messageType()),
					"Remove it: what is dead-lettered there gets into the ledger by the parking lot '%s'."
						.formatted(policy.topology().parkingLot()));
		}
	}

}
