/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

import io.github.rabbitretry.internal.configuration.ConfiguredValue;
import io.github.rabbitretry.internal.configuration.PolicyBinder;
import io.github.rabbitretry.internal.policy.Backoff;
import io.github.rabbitretry.internal.policy.Budget;
import io.github.rabbitretry.internal.policy.BusinessHours;
import io.github.rabbitretry.internal.policy.DelayPlan;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.policy.Ordering;
import io.github.rabbitretry.internal.policy.RejectionTarget;
import io.github.rabbitretry.internal.topology.BindingModel;
import io.github.rabbitretry.internal.topology.DelayLevel;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.internal.topology.MessageTopologyBuilder;
import io.github.rabbitretry.internal.topology.QueueModel;
import io.github.rabbitretry.internal.topology.RetryQueueScope;
import io.github.rabbitretry.internal.topology.TopicPattern;
import io.github.rabbitretry.internal.topology.TopologyNames;
import org.jspecify.annotations.Nullable;

import org.springframework.core.env.Environment;
import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/**
 * From properties to policies that are complete and checked.
 */
final class PolicyAssembler {

	private static final String PREFIX = "rabbit-retry.message-policies.";

	/** Each is a queue of its own on every node. */
	private static final int MOST_RETRY_QUEUES = 100;

	/** RabbitMQ looks once a minute. */
	private static final Duration SHORTEST_CONSUMER_TIMEOUT = Duration.ofMinutes(1);

	private static final Duration LONGEST_CONSUMER_TIMEOUT = Duration.ofDays(30);

	private final RabbitRetryProperties properties;

	private final PolicyBinder keys;

	PolicyAssembler(RabbitRetryProperties properties, Environment environment) {
		this.properties = properties;
		this.keys = new PolicyBinder(environment);
	}

	MessagePolicies assemble() {
		List<MessagePolicy> policies = new ArrayList<>();
		Map<String, String> takenBy = new LinkedHashMap<>();
		Map<String, String> workQueues = new HashMap<>();
		namesDiffer();
		Map<String, PolicyProperties> inherited = new LinkedHashMap<>();
		this.properties.messagePolicies()
			.keySet()
			.forEach((messageType) -> inherited.put(messageType,
					this.keys.inherited(messageType, PolicyProperties.class)));
		UnusedBackoffKeys.warn(inherited, this.keys);
		inherited.forEach((messageType, merged) -> {
			MessagePolicy policy = assemble(messageType, merged);
			String before = workQueues.putIfAbsent(policy.queue(), messageType);
			if (before != null) {
				throw new InvalidConfigurationException(PREFIX + messageType + ".queue", policy.queue(),
						"is the work queue of policy '%s' too, and a queue has one policy".formatted(before),
						"Give each message type a queue of its own, or let one policy cover all messages of this queue.");
			}
			for (QueueModel queue : policy.topology().ownQueues()) {
				String other = takenBy.putIfAbsent(queue.name(), messageType);
				if (other != null) {
					throw new InvalidConfigurationException(PREFIX + messageType + ".queue", policy.queue(),
							"needs queue '%s', which policy '%s' has already".formatted(queue.name(), other),
							"Give each message type queues of its own.");
				}
			}
			policies.add(policy);
		});
		OutageValidator.agree(policies);
		ParkReplyValidator.leadElsewhere(policies);
		return new MessagePolicies(policies);
	}

	/**
	 * Such policies share all keys, as an environment variable and a file may write them.
	 */
	private void namesDiffer() {
		Map<String, String> byName = new HashMap<>();
		for (String messageType : this.properties.messagePolicies().keySet()) {
			String other = byName.putIfAbsent(ConfiguredValue.uniform(messageType), messageType);
			if (other != null && same(messageType, other)) {
				throw new InvalidConfigurationException(PREFIX + messageType, messageType,
						"differs from '%s' only by case, dashes or underscores, which keys don't tell apart"
							.formatted(other),
						"Write it alike everywhere; in place of environment variables, which have no case, use SPRING_APPLICATION_JSON.");
			}
		}
	}

	private boolean same(String messageType, String other) {
		return Objects.equals(this.properties.messagePolicies().get(messageType),
				this.properties.messagePolicies().get(other));
	}

	private MessagePolicy assemble(String messageType, PolicyProperties merged) {
		PolicyProperties defaults = this.properties.defaults();
		PolicyValidator values = new PolicyValidator(PREFIX + messageType + ".", merged);
		if (messageType.length() > 255) {
			throw new InvalidConfigurationException(PREFIX + messageType, messageType,
					"must be at most 255 characters long", "Shorten the message type's name.");
		}
		if (defaults != null && defaults.queue() != null) {
			throw new InvalidConfigurationException("rabbit-retry.defaults.queue", defaults.queue(),
					"can't be the same for all policies", "Set queue in each policy, or leave it out.");
		}
		DelayPlan delays = delays(values);
		Budget budget = values.budget(consumerTimeout());
		if (budget.worstCaseHandlerCalls() > values.maxHandlerCalls()) {
			throw values.invalid("max-handler-calls", values.maxHandlerCalls(),
					"must be >= what one message can cause at worst, %d handler calls (local-attempts %d x (1 + broker-attempts %d))"
						.formatted(budget.worstCaseHandlerCalls(), budget.localAttempts(), budget.brokerAttempts()),
					"Make fewer attempts; or raise it, if that many calls for one message are meant.");
		}
		Ordering ordering = new OrderingValidator(values).ordering(budget, consumerTimeout(),
				this.properties.topology());
		String queue = (merged.queue() != null) ? merged.queue() : dotted(messageType);
		RejectionTarget rejection = new RejectionValidator(values).target(queue);
		MessageTopology topology = topology(queue, values, budget, delays, rejection, ordering);
		if (rejection != null) {
			leadsElsewhere(values, topology, rejection);
		}
		BusinessHours hours = (new BackoffValidator(values).kind() == BackoffKind.CALENDAR)
				? new CalendarValidator(values).hours(Instant.now()) : null;
		return new MessagePolicy(messageType, values.text("owner", merged.owner()), topology, budget, delays, hours,
				values.reasons("park-on", merged.parkOn()), values.discardOn(), new EscalationValidator(values).after(),
				new RetryRatioValidator(values).ratio(), new PoisonValidator(values).settings(), rejection,
				values.text("replay-policy", merged.replayPolicy()), merged.onParkReply(),
				new ParkReplyValidator(values).exchanges(), new DeduplicationValidator(values).deduplication(),
				new OutageValidator(values).settings(messageType), ordering);
	}

	private Duration consumerTimeout() {
		Duration timeout = this.properties.broker().consumerTimeout();
		if (timeout.compareTo(SHORTEST_CONSUMER_TIMEOUT) < 0 || timeout.compareTo(LONGEST_CONSUMER_TIMEOUT) > 0) {
			throw new InvalidConfigurationException("rabbit-retry.broker.consumer-timeout", timeout,
					"must be from %s to %s".formatted(SHORTEST_CONSUMER_TIMEOUT, LONGEST_CONSUMER_TIMEOUT),
					"Use what the broker's configuration or the work queue's policy says, 30m unless it was changed.");
		}
		return timeout;
	}

	private static DelayPlan delays(PolicyValidator values) {
		BackoffValidator waits = new BackoffValidator(values);
		boolean jittered = waits.kind() == BackoffKind.EXPONENTIAL_JITTER;
		Backoff backoff = waits.backoff();
		DelayPlan delays = DelayPlan.of(backoff, values.brokerAttempts(), jittered ? waits.jitter() : 0,
				waits.maxDelay());
		if (values.ring() == RetryQueueScope.PER_TYPE && delays.levels().size() > MOST_RETRY_QUEUES) {
			throw values.invalid("broker-attempts", values.brokerAttempts(),
					"needs %d retry queues, which must be at most %d".formatted(delays.levels().size(),
							MOST_RETRY_QUEUES),
					"Make fewer attempts, or let more of them wait equally long: lower max-delay, or use fixed, schedule or a shared ring.");
		}
		if (values.brokerAttempts() > 0) {
			leavesRoom(values, "max-retry-age", values.maxRetryAge(), delays.longest(1));
			leavesRoom(values, "max-cumulative-delay", values.maxCumulativeDelay(), delays.longest(1));
		}
		return delays;
	}

	private static void leavesRoom(PolicyValidator values, String key, @Nullable Duration bound, Duration first) {
		if (bound != null && bound.compareTo(first) < 0) {
			throw values.invalid(key, bound,
					"must be >= the first delay (%s), or no attempt is ever made"
						.formatted(DurationFormatterUtils.print(first, DurationFormat.Style.COMPOSITE)),
					"Raise it, shorten the first delay, or set broker-attempts to 0.");
		}
	}

	private static void leadsElsewhere(PolicyValidator values, MessageTopology topology, RejectionTarget rejection) {
		for (BindingModel binding : topology.bindings()) {
			if (binding.exchange().equals(rejection.exchange()) && binding.destination().equals(topology.queue())
					&& TopicPattern.matches(binding.routingKey(), rejection.routingKey())) {
				throw values.invalid("rejection.routing-key", rejection.routingKey(),
						"leads back to queue '%s' by its routing key '%s'".formatted(topology.queue(),
								binding.routingKey()),
						"Use another routing key, or another rejection.exchange.");
			}
		}
	}

	private MessageTopology topology(String queue, PolicyValidator values, Budget budget, DelayPlan delays,
			@Nullable RejectionTarget rejection, @Nullable Ordering ordering) {
		PolicyProperties properties = values.properties();
		PolicyProperties.NamesProperties names = properties.names();
		MessageTopologyBuilder topology = MessageTopology.of(queue)
			.queueType(this.properties.topology().queueType())
			.minimalArguments(this.properties.topology().arguments() == TopologyArguments.MINIMAL)
			.ring(values.ring())
			.workQueue(values.workQueue())
			.deliveryLimit(values.deliveryLimit())
			.longestHold((ordering != null) ? ordering.longestHold() : budget.longestHold())
			.quarantine(ordering == null && new PoisonValidator(values).settings().quarantineAfter() > 0)
			.singleActiveConsumer(ordering != null)
			.boundTo(properties.exchange(), new LinkedHashSet<>(properties.routingKeys()))
			.rejectionExchange((rejection != null) ? rejection.exchange() : null)
			.delays(delays.levels().stream().map(DelayLevel::delay).toList())
			.jittered(delays.jittered())
			.exactDelays(properties.exactDelays() || new BackoffValidator(values).kind() == BackoffKind.CALENDAR)
			// what keeps its order waits in place
			.longestDelay((ordering != null) ? delays.longest() : budget.maxRetryAge())
			.names(new TopologyNames(names.retryPrefix(), names.ringExchange(), names.deadLetterExchange(),
					names.deadLetterQueue(), names.parkingLot(), names.quarantine()));
		try {
			return topology.build();
		}
		catch (InvalidConfigurationException ex) {
			throw values.invalid(GivenNames.setting(names, ex), ex.value(), ex.relation(), ex.remedy());
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
