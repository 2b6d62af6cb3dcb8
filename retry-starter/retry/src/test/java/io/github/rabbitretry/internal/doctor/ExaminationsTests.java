/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.doctor;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.topology.DelayLadder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a real broker of the tests can't be brought to, and what would take it long.
 */
class ExaminationsTests {

	private static final String PAST_ALL = "*.".repeat(22);

	private static final MessagePolicies POLICIES = BrokenBroker.policies();

	private final LiveTestBroker broker = broker(true);

	private static LiveTestBroker broker(boolean declared) {
		return new LiveTestBroker(new ExpectedTopology(POLICIES, declared, true, false, LiveTestBroker.USER));
	}

	@Test
	void aHealthyTopologyHasNoFinding() {
		this.broker.queue(BrokenBroker.LEGACY, "quorum", 0,
				Map.of("x-dead-letter-exchange", "legacy.dlx", "x-dead-letter-routing-key", "legacy.dlq"));
		TopologyDoctor.EXAMINATIONS.stream()
			.filter((examination) -> !(examination instanceof ConsumerExamination))
			.forEach((examination) -> assertThat(this.broker.examine(examination))
				.as(examination.getClass().getSimpleName())
				.isEmpty());
	}

	// bindings

	@Test
	void whatAMigrationLeadsPastARetryQueueThatIsNoMoreDoublesNothing() {
		this.broker.bind(DelayLadder.EXIT, PAST_ALL + "order.retry.30s", "order");
		assertThat(this.broker.examine(new BindingExamination())).isEmpty();
	}

	@Test
	void whatAMigrationLeadsIntoATemporaryQueueNeitherDoublesNorIsMissing() {
		String temporary = "order.retry.1h.migrating";
		this.broker.queue(temporary, "quorum", 0, Map.of());
		this.broker.unbind("order.retry", "order.retry.1h");
		this.broker.bind("order.retry", "order.retry.1h", temporary);
		assertThat(this.broker.examine(new BindingExamination())).isEmpty();
	}

	@Test
	void whatLeavesTheLadderTwiceIsDoubled() {
		this.broker.bind(DelayLadder.EXIT, PAST_ALL + "order", "order.retry.10s");
		assertThat(this.broker.examine(new BindingExamination())).extracting(Finding::code)
			.containsExactly("binding-doubles");
	}

	@ParameterizedTest
	@CsvSource({ "#", "*.#", "*.*.order" })
	void whatTakesMoreThanOneQueuesMessagesFromTheLadderDoublesThem(String key) {
		this.broker.bind(DelayLadder.EXIT, key, "order");
		assertThat(this.broker.examine(new BindingExamination())).extracting(Finding::code)
			.containsExactly("binding-doubles");
	}

	// dead letters of existing queues

	@Test
	void aMissingDeadLetterExchangeIsDeclaredAsTheModelHasItAndBoundForTheKeysThatDeadLettersHave() {
		this.broker.queue(BrokenBroker.LEGACY, "quorum", 0, Map.of("x-dead-letter-exchange", "legacy.dlx"));
		this.broker.exchanges.remove("legacy.dlx");
		this.broker.bindings.removeIf((binding) -> binding.source().equals("legacy.dlx"));
		this.broker.bind("orders", "order.created", BrokenBroker.LEGACY);
		assertThat(this.broker.examine(new ExistingQueueExamination())).singleElement().satisfies((finding) -> {
			assertThat(finding.code()).isEqualTo("dead-letters-lost");
			assertThat(finding.commands()).first().asString().contains("/legacy.dlx'", "\"type\":\"direct\"");
			assertThat(finding.commands()).filteredOn((command) -> command.contains("/e/legacy.dlx/q/legacy.dlq"))
				.extracting((command) -> command.replaceAll(".*\"routing_key\":\"([^\"]+)\".*", "$1"))
				.containsExactlyInAnyOrder("legacy.dlq", "legacy", "order.created");
			assertThat(finding.commands()).anyMatch((command) -> command.contains("/q/legacy.parking-lot"));
		});
	}

	// names

	@Test
	void commandsHaveAnyNameAsOneWordAndOnePart() {
		RemedyCommands commands = new RemedyCommands("http://127.0.0.1:15672", "prod/50%+~'");
		String name = "a /%+~'\"ä";
		LiveBinding binding = new LiveBinding("x", name, true, "k%+~ ", "k%25%2B%7E+", Map.of());
		assertThat(PrintedCommand.words(commands.unbind(binding))).element(7)
			.isEqualTo("http://127.0.0.1:15672/api/bindings/prod%2F50%25%2B%7E%27/e/x/q/a%20%2F%25%2B%7E%27%22%C3%A4"
					+ "/k%2525%252B%257E%2B");
		assertThat(PrintedCommand.words(commands.ctl("delete_queue", name))).containsExactly("rabbitmqctl",
				"delete_queue", "-p", "prod/50%+~'", name);
	}

	@Test
	void aQueueIsDeletedOnlyWithoutMessagesAndConsumers() {
		RemedyCommands commands = this.broker.live().commands();
		this.broker.queue("classic", "classic", 0, Map.of());
		assertThat(commands.deleteQueue(this.broker.queues.get("classic"))).contains("if-empty=true", "if-unused=true");
		assertThat(commands.deleteQueue(this.broker.queues.get("order")))
			.matches("curl .*columns=messages,consumers' \\| grep -v '\\[1-9\\]' && curl .* -X DELETE .*");
	}

	// topology.arguments: minimal

	@Test
	void whatNoPolicyGivesAQueueWithFewArgumentsIsSetByAPolicy() {
		this.broker.policies.removeIf((policy) -> policy.name().endsWith("minimal.retry.1m"));
		assertThat(this.broker.examine(new QueueExamination())).isNotEmpty().allSatisfy((finding) -> {
			assertThat(finding.subject()).isEqualTo("minimal.retry.1m");
			assertThat(finding.fact()).contains("topology.arguments: minimal");
			assertThat(finding.commands()).singleElement()
				.asString()
				.startsWith("rabbitmqctl set_policy")
				.contains("\"message-ttl\":60000", "\"overflow\":\"reject-publish\"");
		}).extracting(Finding::code).contains("ttl-wrong", "overflow-wrong", "dead-letter-exchange-wrong");
	}

	@Test
	void aQueueThatHasAsArgumentsWhatPoliciesAreToGiveIsMadeAnewWithoutThem() {
		this.broker.queue("minimal.retry.1m", "quorum", 0,
				new HashMap<>(this.broker.expected.queues().get("minimal.retry.1m").arguments()));
		assertThat(this.broker.examine(new QueueExamination())).isNotEmpty().allSatisfy((finding) -> {
			assertThat(finding.code()).isEqualTo("argument-wrong");
			assertThat(finding.commands()).anyMatch((command) -> command.contains("-X DELETE"))
				.anyMatch((command) -> command.contains("-X PUT") && !command.contains("x-overflow"));
		});
	}

	@Test
	void aMissingQueueWithFewArgumentsGetsItsPolicyBefore() {
		this.broker.policies.removeIf((policy) -> policy.name().endsWith("minimal.dlq"));
		this.broker.queues.remove("minimal.dlq");
		assertThat(this.broker.examine(new QueueExamination())).singleElement()
			.satisfies((finding) -> assertThat(finding.commands()).first().asString().contains("set_policy"));
	}

	@Test
	void anUnsafePolicyOfAQueueWithFewArgumentsIsDisplacedByOneThatGivesAll() {
		this.broker.policy("all", "^minimal\\.retry", Map.of("overflow", "drop-head"));
		this.broker.policies.removeIf((policy) -> policy.name().endsWith("minimal.retry.1m"));
		assertThat(this.broker.examine(new PolicyFindings()))
			.filteredOn((finding) -> finding.code().equals("policy-overflow"))
			.singleElement()
			.satisfies((finding) -> assertThat(finding.commands()).singleElement()
				.asString()
				.contains("\"message-ttl\":60000", "\"overflow\":\"reject-publish\"", "--priority 10"));
	}

	@ParameterizedTest
	@CsvSource({ "dead-letter-strategy, at-most-once, policy-dead-letter-strategy",
			"dead-letter-exchange, elsewhere, policy-dead-letter-exchange" })
	void deadLetteringOfAQueueWithFewArgumentsIsThePolicys(String key, String value, String code) {
		this.broker.policies.removeIf((policy) -> policy.name().endsWith("minimal.retry.1m"));
		this.broker.policy("other", "^minimal\\.retry",
				with(this.broker.expected.queues().get("minimal.retry.1m").policyDefinition(), key, value));
		assertThat(this.broker.examine(new PolicyFindings())).singleElement().satisfies((finding) -> {
			assertThat(finding.code()).isEqualTo(code);
			assertThat(finding.severity()).isEqualTo(Severity.ERROR);
		});
	}

	private static Map<String, Object> with(Map<String, Object> definition, String key, Object value) {
		Map<String, Object> changed = new HashMap<>(definition);
		changed.put(key, value);
		return changed;
	}

	// policies

	@Test
	void whatAPolicyGivesIsNoArgument() {
		this.broker.policy("lengths", "\\.parking-lot$", Map.of("max-length", 1000L));
		assertThat(this.broker.examine(new QueueExamination())).isEmpty();
	}

	@Test
	void federationIsGoodToKnow() {
		this.broker.policy("federated", "^order$", Map.of("federation-upstream-set", "all"));
		assertThat(this.broker.examine(new PolicyFindings())).extracting(Finding::code)
			.containsExactly("policy-federation");
	}

	@Test
	void delayedRetriesTakeOrderAway() {
		this.broker.policy("delayed", "^ordered$", Map.of("delayed-retry-type", "all"));
		assertThat(this.broker.examine(new PolicyFindings())).singleElement().satisfies((finding) -> {
			assertThat(finding.code()).isEqualTo("policy-delayed-retry");
			assertThat(finding.severity()).isEqualTo(Severity.ERROR);
		});
	}

	// cycles

	@Test
	void theBindingWithoutWhichThereWouldBeNoCycleIsRemoved() {
		this.broker.bind("order.dlx", "order.dlq", "order.retry.10s");
		assertThat(this.broker.examine(new CycleExamination())).singleElement().satisfies((finding) -> {
			assertThat(finding.affected()).containsExactlyInAnyOrder("order", "order.retry.10s");
			assertThat(finding.commands()).singleElement()
				.asString()
				.contains("-X DELETE", "/e/order.dlx/q/order.retry.10s/order.dlq");
		});
	}

	@Test
	void theRingOfAnExistingQueuesOwnerIsGoodToKnow() {
		this.broker.queue(BrokenBroker.LEGACY, "quorum", 0,
				Map.of("x-dead-letter-exchange", "", "x-dead-letter-routing-key", "legacy-waiting"));
		this.broker.queue("legacy-waiting", "quorum", 0,
				Map.of("x-dead-letter-exchange", "", "x-dead-letter-routing-key", BrokenBroker.LEGACY));
		assertThat(this.broker.examine(new CycleExamination())).singleElement().satisfies((finding) -> {
			assertThat(finding.severity()).isEqualTo(Severity.INFO);
			assertThat(finding.remedy()).contains("migrating an existing service");
		});
	}

	@Test
	void aCycleThatArgumentsMakeIsLeftToTheFindingsAboutThem() {
		Map<String, Object> arguments = with(this.broker.expected.queues().get("order").arguments(),
				"x-dead-letter-routing-key", "order.quarantine");
		this.broker.queue("order", "quorum", 0, new HashMap<>(arguments));
		this.broker.queue("order.quarantine", "quorum", 0,
				Map.of("x-dead-letter-exchange", "order.retry", "x-dead-letter-routing-key", "order"));
		assertThat(this.broker.examine(new CycleExamination())).singleElement().satisfies((finding) -> {
			assertThat(finding.severity()).isEqualTo(Severity.ERROR);
			assertThat(finding.remedy()).startsWith("See the other findings");
		});
	}

	// leftovers

	@Test
	void aLeftoverThatIsUsedIsNotDeleted() {
		for (String use : List.of("consumer", "binding", "dead letters")) {
			LiveTestBroker used = broker(true);
			used.queue("order.retry.30s", "quorum", 0, Map.of());
			switch (use) {
				case "consumer" -> used.consume("c", "somebody", "order.retry.30s");
				case "binding" -> used.bind("amq.topic", "k", "order.retry.30s");
				default -> used.queue("other", "quorum", 0,
						Map.of("x-dead-letter-exchange", "", "x-dead-letter-routing-key", "order.retry.30s"));
			}
			assertThat(used.examine(new LeftoverExamination())).as(use)
				.singleElement()
				.satisfies(
						(finding) -> assertThat(finding.commands()).noneMatch((command) -> command.contains("DELETE")));
		}
	}

	@Test
	void aLeftoverWithMessagesIsNotDeleted() {
		this.broker.queue("shared.quarantine", "quorum", 3, Map.of());
		this.broker.queue("ghost.parking-lot", "quorum", 1, Map.of());
		this.broker.queue("ghost.retry.5s", "quorum", 0, Map.of());
		assertThat(this.broker.examine(new LeftoverExamination())).hasSize(2)
			.allSatisfy((finding) -> assertThat(finding.severity()).isEqualTo(Severity.WARNING))
			.flatExtracting(Finding::commands)
			.noneMatch((command) -> command.toString().contains("parking-lot"))
			.noneMatch((command) -> command.toString().contains("shared.quarantine"));
	}

	@Test
	void anExchangeThatQueuesDeadLetterToIsNoLeftover() {
		this.broker.exchange("order.delay", "topic", Map.of());
		assertThat(this.broker.examine(new LeftoverExamination())).extracting(Finding::code)
			.containsExactly("exchange-leftover");
		this.broker.queue("order.delay.1s", "quorum", 1, Map.of("x-dead-letter-exchange", "order.delay"));
		assertThat(this.broker.examine(new LeftoverExamination())).extracting(Finding::code)
			.containsExactly("ladder-leftover");
	}

	@Test
	void queuesOfOtherServicesOnTheLadderAreNoLeftovers() {
		this.broker.queue("payments", "quorum", 0, Map.of());
		this.broker.queue("payments.dlq", "quorum", 0, Map.of());
		this.broker.queue("payments.retry.5s", "quorum", 0, Map.of());
		assertThat(this.broker.examine(new LeftoverExamination())).isEmpty();
	}

	// permissions

	@Test
	void aUserWhoMayConfigureAnythingIsTooStrong() {
		permit(".*");
		assertThat(permissions(this.broker)).singleElement().satisfies((finding) -> {
			assertThat(finding.code()).isEqualTo("permission-broad");
			assertThat(finding.commands()).singleElement().asString().contains("set_permissions");
		});
	}

	@Test
	void noPermissionIsTakenFromAUserWhoConsumesQueuesOfOthersToo() {
		permit(".*");
		this.broker.consume("c", LiveTestBroker.USER, "payments");
		assertThat(permissions(this.broker)).singleElement().satisfies((finding) -> {
			assertThat(finding.fact()).contains("'payments'");
			assertThat(finding.commands()).isEmpty();
		});
	}

	@Test
	void anOperatorWhoOnlyAsksIsNotTooStrong() {
		LiveTestBroker asked = broker(false);
		asked.user = new LiveUser(LiveTestBroker.USER, List.of("administrator"), ".*", ".*", ".*");
		asked.consume("c", "worker", "order");
		assertThat(permissions(asked)).isEmpty();
		asked.consume("d", LiveTestBroker.USER, "order");
		assertThat(permissions(asked)).extracting(Finding::code)
			.containsExactly("permission-broad", "user-administrator");
		// its mode may be another than that of who asks
		assertThat(permissions(asked).get(0).commands()).isEmpty();
	}

	@Test
	void aPatternThatTheNextVersionRefusesIsFoundBefore() {
		permit("^order|" + "x".repeat(1024));
		this.broker.version = "4.2.5";
		assertThat(permissions(this.broker)).extracting(Finding::code).contains("version-permission-pattern");
		this.broker.version = "4.3.6";
		assertThat(permissions(this.broker)).extracting(Finding::code).doesNotContain("version-permission-pattern");
	}

	private void permit(String configure) {
		this.broker.user = new LiveUser(LiveTestBroker.USER, List.of(), configure, ".*", ".*");
	}

	private static List<Finding> permissions(LiveTestBroker broker) {
		return broker.examine(new PermissionExamination());
	}

	// queues that do not work

	@Test
	void aQueueWithoutItsNodesIsUnavailableAndOneWithoutSomeIsAtRisk() {
		LiveQueue order = this.broker.queues.get("order");
		this.broker.queues.put("order", replicated(order, "minority", List.of("rabbit@a")));
		assertThat(this.broker.examine(new QueueStateExamination())).extracting(Finding::code)
			.containsExactly("queue-unavailable");
		this.broker.queues.put("order", replicated(order, "running", List.of("rabbit@a", "rabbit@b")));
		assertThat(this.broker.examine(new QueueStateExamination())).extracting(Finding::code)
			.containsExactly("queue-replica-down");
	}

	private static LiveQueue replicated(LiveQueue queue, String state, List<String> online) {
		return new LiveQueue(queue.name(), queue.type(), true, false, queue.arguments(), 0, 0, 0, state, "rabbit@a",
				List.of("rabbit@a", "rabbit@b", "rabbit@c"), online);
	}

	// versions

	@ParameterizedTest
	@CsvSource({ "3.13.7, 1", "4.0.5, 0", "4.3.6, 0", "4.4.0, 1", "5.0.0, 1" })
	void versionsThatNobodyTestedAreToldOf(String version, int findings) {
		this.broker.version = version;
		assertThat(codes()).filteredOn("broker-version"::equals).hasSize(findings);
		assertThat(codes().contains("version-delivery-limit")).isEqualTo(version.startsWith("3."));
	}

	@ParameterizedTest
	@CsvSource({ "4.2.5, true, true", "4.3.0, true, false", "4.3.0, false, true", "4.3.1, false, false" })
	void delayedRetriesThatTheVersionIgnoresAreToldOf(String version, boolean argument, boolean ignored) {
		this.broker.version = version;
		if (argument) {
			this.broker.queue("legacy", "quorum", 0, Map.of("x-delayed-retry-type", "all"));
		}
		else {
			this.broker.policy("delayed", "^order$", Map.of("delayed-retry-type", "all"));
		}
		assertThat(codes().contains("version-delayed-retry")).isEqualTo(ignored);
	}

	@Test
	void anExchangeOfTheDelayPluginIsToldOfIfItLeadsToOurQueues() {
		this.broker.exchange("delayed", "x-delayed-message", Map.of());
		assertThat(codes()).isEmpty();
		this.broker.bind("delayed", "k", "order");
		assertThat(codes()).containsExactly("version-delayed-exchange");
	}

	@ParameterizedTest
	@CsvSource({ "4.2.6, true", "4.3.0, true", "4.3.6, false" })
	void depthsNeedAPermissionWithSomeVersions(String version, boolean told) {
		LiveTestBroker verifying = broker(false);
		verifying.version = version;
		verifying.user = new LiveUser(LiveTestBroker.USER, List.of(), "^$", ".*", ".*");
		assertThat(verifying.examine(new BrokerExamination())
			.stream()
			.map(Finding::code)
			.toList()
			.contains("version-passive-declare")).isEqualTo(told);
	}

	private List<String> codes() {
		return new ArrayList<>(this.broker.examine(new BrokerExamination()).stream().map(Finding::code).toList());
	}

}
