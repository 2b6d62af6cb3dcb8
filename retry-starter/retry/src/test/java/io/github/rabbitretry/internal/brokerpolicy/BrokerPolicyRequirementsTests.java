/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.brokerpolicy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

import io.github.rabbitretry.internal.management.NamePattern;
import io.github.rabbitretry.internal.management.NameRegex;
import io.github.rabbitretry.internal.topology.MessageTopology;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Queues that are declared with minimal arguments.
 */
class BrokerPolicyRequirementsTests {

	private static final List<MessageTopology> TOPOLOGIES = List.of(MessageTopology.of("q")
		.delays(List.of(Duration.ofSeconds(10)))
		.quarantine(true)
		.minimalArguments(true)
		.build());

	private final List<BrokerPolicy> exported = new ArrayList<>(RequiredPolicy.allOf(TOPOLOGIES)
		.stream()
		.map((policy) -> new BrokerPolicy(policy.name(), false, NameRegex.of(NamePattern.of(policy.queues())),
				policy.applyTo(), RequiredPolicy.PRIORITY, policy.definition()))
		.toList());

	@Test
	void onlyWhatNoPolicyCanGiveIsDeclared() {
		assertThat(TOPOLOGIES.get(0).ownQueues())
			.allSatisfy((queue) -> assertThat(queue.declaredArguments()).isEqualTo(Map.of("x-queue-type", "quorum")));
		assertThat(TOPOLOGIES.get(0).queues()).filteredOn((queue) -> queue.name().startsWith("rabbit-retry."))
			.isNotEmpty()
			.allSatisfy((queue) -> assertThat(queue.declaredArguments()).isEqualTo(queue.arguments()));
	}

	@Test
	void theExportedPoliciesAreEnoughAndSafe() {
		BrokerPolicyReport report = report();
		assertThat(report.missing()).isEmpty();
		assertThat(report.findings()).isEmpty();
		assertThat(report.commands()).isEmpty();
	}

	@Test
	void withoutPoliciesEachKeyIsMissingAndTheCommandsAreThoseOfTheExport() {
		this.exported.clear();
		BrokerPolicyReport report = report();
		assertThat(report.missing()).extracting((key) -> key.queue().name() + " " + key.key())
			.contains("q.retry.10s message-ttl", "q.retry.10s dead-letter-exchange", "q.parking-lot delivery-limit",
					"q overflow", "q.dlq dead-letter-routing-key")
			.hasSize(5 * 3 + 5 + 2);
		assertThat(report.lines(true))
			.contains("no policy gives queue 'q.retry.10s' message-ttl: messages wait for ever");
		assertThat(report.commands()).containsExactlyElementsOf(RequiredPolicy.allOf(TOPOLOGIES)
			.stream()
			.map((policy) -> policy.command("/", RequiredPolicy.PRIORITY))
			.toList());
	}

	@Test
	void aPolicyInFrontOfOursIsDisplaced() {
		this.exported
			.add(TestPolicies.withPriority(TestPolicies.user("p", "^q$", Map.of("overflow", "reject-publish")), 50));
		BrokerPolicyReport report = report();
		assertThat(report.missing()).extracting(MissingKey::key)
			.containsExactly("dead-letter-exchange", "dead-letter-routing-key", "dead-letter-strategy",
					"delivery-limit");
		assertThat(report.commands()).singleElement()
			.asString()
			.startsWith("rabbitmqctl set_policy -p '/' --priority 51 --apply-to quorum_queues 'rabbit-retry-q' ");
	}

	@Test
	void aRetryQueueThatNothingComesBackFromIsNamed() {
		assertThat(noWayBack(report(), true)).isEmpty();
		this.exported.add(TestPolicies.withPriority(TestPolicies.user("all", ".*", Map.of("max-length", 9L)), 50));
		assertThat(noWayBack(report(), true)).containsExactly("q.retry.10s");
		assertThat(noWayBack(report(), false)).containsExactly("q.retry.10s");
	}

	@Test
	void aDeadLetterExchangeOfSomebodyElseIsTakenForAMistakeUnlessPoliciesOnlyWarn() {
		BrokerPolicyReport elsewhere = reportWith("q.retry.10s", "dead-letter-exchange", "elsewhere");
		assertThat(noWayBack(elsewhere, true)).containsExactly("q.retry.10s");
		assertThat(noWayBack(elsewhere, false)).isEmpty();
		assertThat(noWayBack(reportWith("q.retry.10s", "overflow", "drop-head"), true)).as("it comes back, mostly")
			.isEmpty();
		assertThat(noWayBack(reportWith("q.dlq", "dead-letter-exchange", "elsewhere"), true))
			.as("no copy is published to it")
			.isEmpty();
	}

	private static Set<String> noWayBack(BrokerPolicyReport report, boolean elsewhere) {
		return report.noWayBack(new BrokerPolicyRequirements(TOPOLOGIES), elsewhere);
	}

	@Test
	void aValueThatWouldLoseMessagesIsUnsafe() {
		for (Map.Entry<String, Object> wrong : Map
			.<String, Object>of("dead-letter-exchange", "elsewhere", "dead-letter-routing-key", "k",
					"dead-letter-strategy", "at-most-once", "message-ttl", 9L, "overflow", "drop-head")
			.entrySet()) {
			BrokerPolicyReport report = reportWith("q.retry.10s", wrong.getKey(), wrong.getValue());
			assertThat(report.missing()).isEmpty();
			assertThat(report.findings()).filteredOn(BrokerPolicyFinding::unsafe)
				.singleElement()
				.satisfies((finding) -> assertThat(finding.key()).isEqualTo(wrong.getKey()));
			assertThat(report.commands()).as("the whole policy")
				.singleElement()
				.asString()
				.contains("\"dead-letter-exchange\":\"q.retry\"", "\"message-ttl\":10000");
		}
	}

	@Test
	void operatorsMayChangeWhatLosesNothing() {
		assertThat(reportWith("q.retry.10s", "message-ttl", 20_000L).findings()).singleElement()
			.matches((finding) -> !finding.unsafe());
		assertThat(reportWith("q", "delivery-limit", 3L).findings()).noneMatch(BrokerPolicyFinding::unsafe);
		assertThat(reportWith("q", "max-length", 1000L).findings()).noneMatch(BrokerPolicyFinding::unsafe);
		assertThat(reportWith("q", "dead-letter-exchange", "audited").findings()).singleElement()
			.matches((finding) -> !finding.unsafe() && finding.consequence().contains("'q.dlq'"));
	}

	@Test
	void whatAnOperatorPolicyGivesIsThere() {
		this.exported.replaceAll((policy) -> without(policy, "delivery-limit"));
		assertThat(report().missing()).extracting(MissingKey::key).containsOnly("delivery-limit");
		this.exported.add(TestPolicies.operator("o", "^q", Map.of("delivery-limit", -1L)));
		assertThat(report().missing()).isEmpty();
	}

	@Test
	void aPolicyThatCannotBeReadMayBeInEffectInstead() {
		long exported = this.exported.get(0).priority();
		assertThat(reportWithUnreadable(exported - 1).missing()).as("ours wins").isEmpty();
		for (long priority : new long[] { exported, 100 }) {
			BrokerPolicyReport report = reportWithUnreadable(priority);
			assertThat(noWayBack(report, true)).containsExactly("q.retry.10s");
			assertThat(report.lines(true)).last()
				.asString()
				.contains("policy 'fancy' may be in effect instead", "can't be understood");
			assertThat(report.commands())
				.allSatisfy((command) -> assertThat(command).contains(" --priority %d ".formatted(priority + 1)));
		}
	}

	private BrokerPolicyReport reportWithUnreadable(long priority) {
		BrokerPolicy fancy = TestPolicies.withPriority(TestPolicies.user("fancy", "", Map.of("max-length", 5L)),
				priority);
		return BrokerPolicyReport.of(new BrokerPolicyEvaluation(TOPOLOGIES), new BrokerPolicyRequirements(TOPOLOGIES),
				new BrokerPolicies(this.exported, List.of(fancy)), List.of(), "/");
	}

	private static BrokerPolicy without(BrokerPolicy policy, String key) {
		Map<String, Object> definition = new HashMap<>(policy.definition());
		definition.remove(key);
		return new BrokerPolicy(policy.name(), policy.operator(), policy.pattern(), policy.applyTo(), policy.priority(),
				definition);
	}

	private BrokerPolicyReport reportWith(String queue, String key, Object value) {
		List<BrokerPolicy> policies = this.exported.stream()
			.map((policy) -> policy.pattern().matches(queue) ? with(policy, queue, key, value) : policy)
			.toList();
		return report(policies);
	}

	/** For this queue alone. */
	private static BrokerPolicy with(BrokerPolicy policy, String queue, String key, Object value) {
		Map<String, Object> definition = new HashMap<>(policy.definition());
		definition.put(key, value);
		return new BrokerPolicy(policy.name(), false, NameRegex.of("^" + Pattern.quote(queue) + "$"), policy.applyTo(),
				policy.priority(), definition);
	}

	private BrokerPolicyReport report() {
		return report(this.exported);
	}

	private static BrokerPolicyReport report(List<BrokerPolicy> policies) {
		return BrokerPolicyReport.of(new BrokerPolicyEvaluation(TOPOLOGIES), new BrokerPolicyRequirements(TOPOLOGIES),
				new BrokerPolicies(policies), List.of(), "/");
	}

}
