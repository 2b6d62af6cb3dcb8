/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.brokerpolicy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.github.rabbitretry.internal.management.ManagementUnavailableException;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import io.github.rabbitretry.internal.topology.MessageTopology;
import org.jspecify.annotations.Nullable;

/**
 * All that is known about policies, for one look at a virtual host.
 */
public final class PolicyExamination {

	private static final String TIMEOUT = "consumer-timeout";

	private final BrokerPolicyEvaluation check;

	private final List<MessageTopology> existing;

	/**
	 * Creates the examination.
	 * @param topologies whose queues and exchanges
	 */
	public PolicyExamination(Collection<MessageTopology> topologies) {
		this.check = new BrokerPolicyEvaluation(topologies);
		this.existing = topologies.stream()
			.filter((topology) -> topology.hasExistingQueue() && topology.longestHold() != null)
			.toList();
	}

	/**
	 * Judges the policies in effect.
	 * @param policies the virtual host's policies
	 * @param virtualHost its name
	 * @param troublesome which keys are to be displaced with those that are unsafe
	 * @return one entry for all queues for which a key of a policy does the same
	 */
	public List<PolicyEffect> effects(BrokerPolicies policies, String virtualHost, Predicate<String> troublesome) {
		List<BrokerPolicyFinding> findings = this.check.run(policies);
		BrokerPolicyRemedy remedy = new BrokerPolicyRemedy(policies, virtualHost);
		Map<Object, List<BrokerPolicyFinding>> alike = new LinkedHashMap<>();
		findings.forEach((finding) -> alike
			.computeIfAbsent(List.of(finding.policy(), finding.key(), finding.value(), finding.queue(),
					finding.consequence(), finding.unsafe()), (effect) -> new ArrayList<>())
			.add(finding));
		return alike.values().stream().map((some) -> effect(some, findings, troublesome, remedy)).toList();
	}

	/**
	 * A policy is displaced at once for all that it does, since one command would undo
	 * another. But what is only good to know stays, unless it is itself what the command
	 * is for.
	 */
	private static PolicyEffect effect(List<BrokerPolicyFinding> alike, List<BrokerPolicyFinding> all,
			Predicate<String> troublesome, BrokerPolicyRemedy remedy) {
		BrokerPolicyFinding first = alike.get(0);
		Predicate<BrokerPolicyFinding> bad = (finding) -> finding.unsafe() || troublesome.test(finding.key());
		List<BrokerPolicyFinding> displaced = all.stream()
			.filter((finding) -> finding.policy().equals(first.policy()) && (bad.test(finding) || !bad.test(first)))
			.toList();
		return new PolicyEffect(first.unsafe(), first.policy().description(), first.key(), first.value(), first.queue(),
				alike.stream().map(BrokerPolicyFinding::subject).toList(), first.consequence(),
				remedy.commands(displaced));
	}

	/**
	 * Compares what handlers may take with the consumer timeouts of existing work queues:
	 * that of the queue's declaration and those of the policies in effect for it, of
	 * which the lowest counts. Policies for our own queues are judged by
	 * {@link QueuePolicyEvaluator}.
	 * @param policies the virtual host's policies
	 * @param queues describes a queue by its name
	 * @return what is wrong
	 * @throws ManagementUnavailableException if a queue can't be looked at
	 */
	public List<InvalidConfigurationException> timeoutsTooShort(BrokerPolicies policies,
			Function<String, Optional<QueueDescription>> queues) {
		return this.existing.stream()
			.flatMap((topology) -> queues.apply(topology.queue())
				.stream()
				.flatMap((queue) -> timeouts(topology.queue(), queue, policies)
					.filter((timeout) -> timeout.millis() <= hold(topology).toMillis())
					.limit(1)
					.map((timeout) -> problem(topology, timeout))))
			.toList();
	}

	private static Duration hold(MessageTopology topology) {
		Duration hold = topology.longestHold();
		return (hold != null) ? hold : Duration.ZERO;
	}

	private static Stream<Timeout> timeouts(String name, QueueDescription queue, BrokerPolicies policies) {
		return Stream.concat(Timeout.of(queue.arguments().get("x-" + TIMEOUT), "its argument x-" + TIMEOUT),
				policies.ofQueue(name, queue.queueType())
					.stream()
					.flatMap((policy) -> Timeout.of(policy.definition().get(TIMEOUT), policy.description())));
	}

	private static InvalidConfigurationException problem(MessageTopology topology, Timeout timeout) {
		return new InvalidConfigurationException("handler-timeout", hold(topology),
				"(with local-delay, times local-attempts) must be < the consumer timeout of existing queue '%s', which is %s by %s"
					.formatted(topology.queue(), Duration.ofMillis(timeout.millis()), timeout.origin()),
				"Lower handler-timeout, make fewer local attempts, or raise the consumer timeout; the broker takes a delivery back that is held too long.");
	}

	/** A consumer timeout, and who sets it. */
	private record Timeout(long millis, String origin) {

		static Stream<Timeout> of(@Nullable Object millis, String origin) {
			return (millis instanceof Number number) ? Stream.of(new Timeout(number.longValue(), origin))
					: Stream.empty();
		}

	}

}
