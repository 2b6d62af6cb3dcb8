/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.brokerpolicy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import io.github.rabbitretry.internal.management.NamePattern;
import io.github.rabbitretry.internal.topology.MessageTopology;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class BrokerPolicyRemedyTests {

	@Test
	void aPolicyIsDisplacedForOurQueuesAloneAndItsOtherKeysAreKept() {
		BrokerPolicy policy = TestPolicies.withPriority(TestPolicies.user("all queues", ".*",
				new TreeMap<>(Map.of("max-length", 40L, "overflow", "drop-head", "message-ttl", 5L))), 7);
		assertThat(commands(policy, unsafe("order.dlq", policy, "overflow"),
				unsafe("order.parking-lot", policy, "overflow"), unsafe("order.parking-lot", policy, "message-ttl")))
			.containsExactly("rabbitmqctl set_policy -p '/' --priority 8 --apply-to queues 'rabbit-retry-all queues'"
					+ " '^order\\.(dlq|parking-lot)$' '{\"max-length\":40,\"overflow\":\"reject-publish\"}'");
	}

	@Test
	void anOperatorPolicyIsDisplacedByAnother() {
		BrokerPolicy policy = TestPolicies.operator("o", "x", Map.of("message-ttl", 5L));
		assertThat(commands(policy, unsafe("it's", policy, "message-ttl")))
			.containsExactly("rabbitmqctl set_operator_policy -p '/' --priority 1 --apply-to queues 'rabbit-retry-o'"
					+ " '^it\\'\\''s$' '{\"overflow\":\"reject-publish\"}'");
	}

	@Test
	void whatIsGoodToKnowNeedsNoCommand() {
		BrokerPolicies policies = new BrokerPolicies(List.of(TestPolicies.user("p", "^q$", Map.of("max-length", 5L))));
		List<MessageTopology> topologies = List.of(MessageTopology.of("q").build());
		BrokerPolicyReport report = new BrokerPolicyReport(
				new PolicyExamination(topologies).effects(policies, "/", (key) -> false), List.of(), List.of());
		assertThat(report.lines(false)).hasSize(1);
		assertThat(report.commands()).isEmpty();
	}

	@Test
	void noPolicyIsOverwrittenAndNoCommandIsTooLong() {
		BrokerPolicy policy = TestPolicies.user("rabbit-retry-p", "x", Map.of("expires", 5L));
		BrokerPolicyFinding[] findings = IntStream.range(0, 150)
			.mapToObj((number) -> unsafe("order.command.create.retry." + Integer.toHexString(number * 0x9E3779B1),
					policy, "expires"))
			.toArray(BrokerPolicyFinding[]::new);
		List<String> commands = commands(policy, findings);
		assertThat(commands).hasSize(2);
		assertThat(commands.get(0)).contains(" 'rabbit-retry-p-2' ");
		assertThat(commands.get(1)).contains(" 'rabbit-retry-p-3' ");
		assertThat(commands).allSatisfy(
				(command) -> assertThat(pattern(command)).as("what RabbitMQ accepts").hasSizeLessThanOrEqualTo(1024));
		assertThat(findings).allMatch((finding) -> commands.stream()
			.anyMatch((command) -> Pattern.compile(pattern(command)).matcher(finding.subject()).find()));
	}

	private static String pattern(String command) {
		return command.substring(command.indexOf("'^") + 1, command.indexOf("$'") + 1);
	}

	@Test
	void aPatternMatchesTheNamesAndNothingElse() {
		List<String> names = List.of("a.b", "a.b.retry.10s", "a.b*c", "ü(1)", "a\\b", "a b", "x\ud83d\ude00",
				"x\ud83d\ude01");
		for (List<String> some : List.of(names, names.subList(0, 2), names.subList(6, 8), names.subList(3, 4))) {
			Pattern pattern = Pattern.compile(NamePattern.of(some));
			List<String> others = new ArrayList<>(names);
			others.addAll(List.of("axb", "a.b.retry.10s2", "xa.b", "a.bbc", "", "a.b.", "a.b.retryx10s"));
			assertThat(some).allMatch((name) -> pattern.matcher(name).find());
			others.removeAll(some);
			assertThat(others).noneMatch((name) -> pattern.matcher(name).find());
		}
	}

	private static BrokerPolicyFinding unsafe(String queue, BrokerPolicy policy, String key) {
		return new BrokerPolicyFinding(true, queue, policy, key, "x", "messages are lost", true);
	}

	private static List<String> commands(BrokerPolicy policy, BrokerPolicyFinding... findings) {
		return new BrokerPolicyRemedy(new BrokerPolicies(List.of(policy)), "/").commands(List.of(findings));
	}

}
