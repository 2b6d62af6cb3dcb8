/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.configuration;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import io.github.rabbitretry.internal.classify.ClassificationRule;
import io.github.rabbitretry.internal.policy.Budget;
import io.github.rabbitretry.internal.policy.BusinessHours;
import io.github.rabbitretry.internal.policy.DelayPlan;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.policy.Ordering;
import io.github.rabbitretry.internal.policy.OutageSettings;
import io.github.rabbitretry.internal.policy.RejectionTarget;
import io.github.rabbitretry.internal.topology.BindingDefinition;
import io.github.rabbitretry.internal.topology.DelayLevel;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import io.github.rabbitretry.internal.topology.DelayLadder;
import io.github.rabbitretry.internal.topology.FormerQueue;
import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.internal.topology.MessageTopologyBuilder;
import io.github.rabbitretry.internal.topology.QueueDefinition;
import io.github.rabbitretry.internal.topology.TopicPattern;
import io.github.rabbitretry.internal.topology.TopologyNames;
import org.jspecify.annotations.Nullable;

import org.springframework.core.env.Environment;

/**
 * From properties to policies that are complete and checked.
 */
public final class PolicyAssembler {

	private final RabbitRetryProperties properties;

	private final Environment environment;

	/**
	 * Creates an assembler.
	 * @param properties what is configured
	 * @param environment where it is configured
	 */
	public PolicyAssembler(RabbitRetryProperties properties, Environment environment) {
		this.properties = properties;
		this.environment = environment;
	}

	/**
	 * Assembles the policies.
	 * @return the policies
	 */
	public MessagePolicies assemble() {
		List<MessagePolicy> policies = new ArrayList<>();
		Map<String, String> takenBy = new LinkedHashMap<>();
		Map<String, String> workQueues = new HashMap<>();
		PolicyRules.check(this.properties);
		UnusedKeys.warn(this.properties, this.environment);
		this.properties.messagePolicies().forEach((messageType, merged) -> {
			MessagePolicy policy = assemble(messageType, merged);
			String before = workQueues.putIfAbsent(policy.queue(), messageType);
			if (before != null) {
				throw invalid(messageType, "queue", policy.queue(),
						"is the work queue of policy '%s' too, and a queue has one policy".formatted(before),
						"Give each message type a queue of its own, or let one policy cover all messages of this queue.");
			}
			for (QueueDefinition queue : policy.topology().ownQueues()) {
				String other = takenBy.putIfAbsent(queue.name(), messageType);
				if (other != null) {
					Optional<String> key = merged.names().key(queue.name());
					throw invalid(messageType, key.map("names."::concat).orElse("queue"),
							key.isPresent() ? queue.name() : policy.queue(),
							"needs queue '%s', which policy '%s' has already".formatted(queue.name(), other),
							"Give each message type queues of its own.");
				}
			}
			policies.add(policy);
		});
		formerQueuesAreFree(policies, takenBy);
		sharedOutagesAgree(policies);
		return new MessagePolicies(policies);
	}

	/** Each is consumed for one policy, and is no queue that a policy has now. */
	private static void formerQueuesAreFree(Collection<MessagePolicy> policies, Map<String, String> takenBy) {
		Map<String, String> former = new HashMap<>();
		for (MessagePolicy policy : policies) {
			for (FormerQueue queue : policy.topology().formerQueues()) {
				String name = queue.queue();
				String other = takenBy.getOrDefault(name, former.put(name, policy.messageType()));
				if (other != null) {
					throw invalid(
							policy.messageType(), "former-queues", name, "is %s of policy '%s'"
								.formatted(takenBy.containsKey(name) ? "a queue" : "a former queue", other),
							"Name queues that no policy has, each in one policy.");
				}
				if (name.startsWith("amq.") || DelayLadder.hasLevel(name) || name.equals(DelayLadder.UNROUTABLE)) {
					throw invalid(policy.messageType(), "former-queues", name, "is no work queue",
							"Name work queues that the policy had before.");
				}
				List.of(queue.deadLetterQueue(), queue.quarantine(), queue.parkingLot()).forEach((part) -> {
					String owner = takenBy.getOrDefault(part, policy.messageType());
					if (!owner.equals(policy.messageType())) {
						throw invalid(policy.messageType(), "former-queues", name,
								"would have '%s' consumed too, a queue of policy '%s'".formatted(part, owner),
								"Give that policy a queue of another name, or empty '%s' before its policy gets another queue."
									.formatted(name));
					}
				});
			}
		}
	}

	/** Message types that share a service share its circuit. */
	private static void sharedOutagesAgree(Collection<MessagePolicy> policies) {
		Map<String, MessagePolicy> first = new HashMap<>();
		for (MessagePolicy policy : policies) {
			OutageSettings outage = policy.outage();
			MessagePolicy other = (outage != null) ? first.putIfAbsent(outage.dependency(), policy) : null;
			if (outage != null && other != null && other.outage() != null
					&& !outage.shared().equals(other.outage().shared())) {
				throw invalid(policy.messageType(), "outage.dependency", outage.dependency(),
						"is the service of policy '%s' too, whose other keys of outage differ"
							.formatted(other.messageType()),
						"Give both the same failure-rate, calls, probe-interval, max-probe-interval and resume-calls, as under rabbit-retry.defaults.outage.");
			}
		}
	}

	private MessagePolicy assemble(String messageType, PolicyProperties policy) {
		Duration consumerTimeout = this.properties.broker().consumerTimeout();
		String queue = (policy.queue() != null) ? policy.queue() : dotted(messageType);
		try {
			PolicyRules.check(policy);
			RejectionTarget rejection = policy.rejection().target(queue);
			DelayPlan delays = DelayRules.delays(policy);
			Budget budget = policy.budget(consumerTimeout);
			Ordering ordering = OrderingRules.ordering(policy, budget, consumerTimeout,
					this.properties.topology().queueType());
			MessageTopology topology = topology(queue, policy, budget, delays, rejection, ordering,
					needsExactDelays(messageType, policy, delays));
			if (rejection != null) {
				leadsElsewhere(topology, rejection);
			}
			BusinessHours hours = (policy.retryBackoff() == BackoffKind.CALENDAR)
					? policy.calendar().hours(Instant.now(), policy.maxRetryAge()) : null;
			return new MessagePolicy(messageType, policy.owner(), topology, budget, delays, hours, policy.parkOn(),
					policy.discardOn(), PolicyRules.escalation(policy), policy.retryRatio().ratio(),
					policy.quarantineAfter(), rejection, policy.replayPolicy(), policy.exceptionTexts(),
					policy.deduplicated(), policy.outage().settings(messageType), ordering);
		}
		catch (InvalidConfigurationException ex) {
			throw invalid(messageType, ex.property(), ex.value(), ex.relation(), ex.remedy());
		}
	}

	private static InvalidConfigurationException invalid(String messageType, String key, Object value, String relation,
			String remedy) {
		return new InvalidConfigurationException(property(messageType, key), value, relation, remedy);
	}

	static String property(String messageType, String key) {
		return "rabbit-retry.message-policies%s.%s"
			.formatted(messageType.matches("[\\w-]+") ? "." + messageType : "[" + messageType + "]", key);
	}

	private static void leadsElsewhere(MessageTopology topology, RejectionTarget rejection) {
		for (BindingDefinition binding : topology.bindings()) {
			if (binding.exchange().equals(rejection.exchange()) && binding.destination().equals(topology.queue())
					&& TopicPattern.matches(binding.routingKey(), rejection.routingKey())) {
				throw Checks.invalid("rejection.routing-key", rejection.routingKey(),
						"leads back to queue '%s' by its routing key '%s'".formatted(topology.queue(),
								binding.routingKey()),
						"Use another routing key, or another rejection.exchange.");
			}
		}
	}

	private boolean needsExactDelays(String messageType, PolicyProperties policy, DelayPlan delays) {
		return policy.exactDelays() || policy.retryBackoff() == BackoffKind.CALENDAR
				|| this.properties.classification()
					.rules()
					.stream()
					.filter((rule) -> rule.messageType() == null || rule.messageType().contains(messageType))
					.map(ClassificationRule::delay)
					.anyMatch((delay) -> delay != null
							&& delays.levels().stream().noneMatch((level) -> level.delay().equals(delay)));
	}

	private MessageTopology topology(String queue, PolicyProperties properties, Budget budget, DelayPlan delays,
			@Nullable RejectionTarget rejection, @Nullable Ordering ordering, boolean exactDelays) {
		PolicyProperties.NamesProperties names = properties.names();
		MessageTopologyBuilder topology = MessageTopology.of(queue)
			.queueType(this.properties.topology().queueType())
			.ring(properties.ring())
			.workQueue(properties.workQueue())
			.formerQueues(properties.formerQueues())
			.deliveryLimit(properties.deliveries())
			.longestHold((ordering != null) ? ordering.longestHold() : budget.longestHold())
			.quarantine(ordering == null && properties.quarantineAfter() > 0)
			.singleActiveConsumer(ordering != null)
			.boundTo(properties.exchange(), new LinkedHashSet<>(properties.routingKeys()))
			.rejectionExchange((rejection != null) ? rejection.exchange() : null)
			.delays(delays.levels().stream().map(DelayLevel::delay).toList())
			.jittered(delays.jittered())
			.exactDelays(exactDelays)
			// what keeps its order waits in place
			.longestDelay((ordering != null) ? delays.longest() : budget.maxRetryAge())
			.names(new TopologyNames(names.retryPrefix(), names.ringExchange(), names.deadLetterExchange(),
					names.deadLetterQueue(), names.parkingLot(), names.quarantine()));
		try {
			return topology.build();
		}
		catch (InvalidConfigurationException ex) {
			throw Checks.invalid(names.key(ex.value()).map("names."::concat).orElse(ex.property()), ex.value(),
					ex.relation(), ex.remedy());
		}
	}

	/** {@code CreateOrderCommand} becomes {@code create.order.command}. */
	static String dotted(String messageType) {
		return messageType.replaceAll("([a-z0-9])([A-Z])", "$1.$2")
			.replaceAll("([A-Z]+)([A-Z][a-z])", "$1.$2")
			.replace('-', '.')
			.replace('_', '.')
			.toLowerCase(Locale.ROOT);
	}

}
