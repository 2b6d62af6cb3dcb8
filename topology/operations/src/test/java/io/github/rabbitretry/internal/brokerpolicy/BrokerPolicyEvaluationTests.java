/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.brokerpolicy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.github.rabbitretry.internal.topology.DelayLadder;
import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.internal.topology.QueueDefinition;
import io.github.rabbitretry.internal.topology.QueueType;
import io.github.rabbitretry.internal.topology.RetryQueueScope;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class BrokerPolicyEvaluationTests {

	private static final Set<String> QUORUM_QUEUES = Set.of("q", "q.quarantine", "q.dlq", "q.parking-lot",
			"q.retry.10s", "ladder", "unroutable");

	@ParameterizedTest
	@CsvSource(delimiter = '|', nullValues = "-",
			textBlock = """
					overflow                | drop-head           | q ladder q.dlq q.parking-lot q.quarantine q.retry.10s unroutable
					overflow                | reject-publish-dlx  | q ladder q.dlq q.parking-lot q.quarantine q.retry.10s unroutable
					overflow                | reject-publish      | -
					message-ttl             | 999                 | ladder-from-1s q.dlq q.parking-lot q.retry.10s unroutable
					message-ttl             | 10000               | ladder-from-16s q.dlq q.parking-lot unroutable
					expires                 | 60000               | q ladder q.dlq q.parking-lot q.quarantine q.retry.10s unroutable
					delivery-limit          | 4                   | q.parking-lot unroutable
					delivery-limit          | -1                  | -
					dead-letter-routing-key | k                   | ladder
					dead-letter-exchange    | amq.fanout          | -
					dead-letter-strategy    | at-most-once        | -
					max-length              | 40                  | -
					max-length-bytes        | 40                  | -
					consumer-timeout        | 60000               | -
					queue-leader-locator    | balanced            | -
					delayed-retry-type      | failed              | -
					""")
	void aKeyOfAPolicyIsUnsafeForTheseQuorumQueues(String key, String value, String queues) {
		assertThat(unsafe(QueueType.QUORUM, TestPolicies.user("p", ".*", Map.of(key, value(value)))))
			.isEqualTo((queues != null) ? Set.of(queues.split(" ")) : Set.of());
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', nullValues = "-", textBlock = """
			overflow                | drop-head  | ladder unroutable
			message-ttl             | 999        | ladder-from-1s q.dlq q.parking-lot q.retry.10s unroutable
			expires                 | 60000      | q ladder q.dlq q.parking-lot q.retry.10s unroutable
			delivery-limit          | 4          | unroutable
			dead-letter-routing-key | k          | ladder
			max-length              | 40         | -
			""")
	void aKeyOfAPolicyIsUnsafeForTheseClassicQueues(String key, String value, String queues) {
		assertThat(unsafe(QueueType.CLASSIC, TestPolicies.user("p", ".*", Map.of(key, value(value)))))
			.isEqualTo((queues != null) ? Set.of(queues.split(" ")) : Set.of());
	}

	@ParameterizedTest
	@CsvSource({ "20000, true", "20001, false" })
	void aConsumerTimeoutIsUnsafeIfItIsShorterThanAHandlersTime(long timeout, boolean unsafe) {
		MessageTopology topology = MessageTopology.of("q")
			.quarantine(true)
			.longestHold(Duration.ofSeconds(20))
			.delays(List.of(Duration.ofSeconds(10)))
			.build();
		List<BrokerPolicyFinding> findings = new BrokerPolicyEvaluation(List.of(topology))
			.run(new BrokerPolicies(List.of(TestPolicies.user("p", ".*", Map.of("consumer-timeout", timeout)))));
		assertThat(findings.stream().filter(BrokerPolicyFinding::unsafe).map(BrokerPolicyFinding::subject))
			.isEqualTo(unsafe ? List.of("q", "q.quarantine") : List.of());
		assertThat(findings).anyMatch((finding) -> finding.subject().equals("q"));
	}

	@Test
	void anOperatorsOverflowIsTheOneInEffect() {
		BrokerPolicy drops = TestPolicies.user("p", ".*", Map.of("overflow", "drop-head"));
		assertThat(
				unsafe(QueueType.QUORUM, drops, TestPolicies.operator("o", ".*", Map.of("overflow", "reject-publish"))))
			.isEmpty();
		assertThat(unsafe(QueueType.QUORUM, drops, TestPolicies.operator("o", ".*", Map.of("max-length", 9L))))
			.isEqualTo(QUORUM_QUEUES);
		assertThat(unsafe(QueueType.QUORUM, TestPolicies.user("p", ".*", Map.of("overflow", "reject-publish")),
				TestPolicies.operator("o", ".*", Map.of("overflow", "drop-head"))))
			.isEqualTo(QUORUM_QUEUES);
	}

	@Test
	void anAlternateExchangeIsUnsafeForOurExchangesOnly() {
		BrokerPolicy alternate = TestPolicies
			.applyTo(TestPolicies.user("p", ".*", Map.of("alternate-exchange", "amq.fanout")), "exchanges");
		assertThat(findings(QueueType.QUORUM, alternate)).filteredOn(BrokerPolicyFinding::unsafe)
			.extracting(BrokerPolicyFinding::subject)
			.contains("q.retry", "q.dlx", "rabbit-retry.delay.v1", "rabbit-retry.delay.v1.1s")
			// its own alternate exchange goes before a policy's
			.doesNotContain("orders", "rabbit-retry.delay.v1.delivery");
	}

	@Test
	void limitsThatLoseNothingAreGoodToKnow() {
		List<BrokerPolicyFinding> findings = findings(QueueType.QUORUM,
				TestPolicies.user("p", "^q(\\.dlq)?$", Map.of("max-length", 40L, "consumer-timeout", 60_000L)),
				TestPolicies.operator("o", "^q$", Map.of("message-ttl", 1000L, "delivery-limit", 3L)));
		assertThat(findings).allMatch((finding) -> !finding.unsafe())
			.extracting((finding) -> finding.subject() + " " + finding.key())
			.containsExactlyInAnyOrder("q max-length", "q consumer-timeout", "q.dlq max-length",
					"q.dlq consumer-timeout", "q message-ttl", "q delivery-limit");
	}

	@Test
	void aDelayedRetryIsHarmlessWhereMessagesAreNotKeptInOrder() {
		assertThat(findings(QueueType.QUORUM, TestPolicies.user("p", ".*", Map.of("delayed-retry-type", "all"))))
			.isEmpty();
	}

	/** What a closed channel gives back would come after those behind it. */
	@Test
	void aDelayedRetryIsUnsafeWhereMessagesAreKeptInOrder() {
		MessageTopology ordered = MessageTopology.of("q")
			.delays(List.of(Duration.ofSeconds(10)))
			.singleActiveConsumer(true)
			.build();
		BrokerPolicy delayed = TestPolicies.user("p", ".*", Map.of("delayed-retry-type", "failed"));
		assertThat(new BrokerPolicyEvaluation(List.of(ordered)).run(new BrokerPolicies(List.of(delayed))))
			.filteredOn(BrokerPolicyFinding::unsafe)
			.extracting(BrokerPolicyFinding::subject)
			.containsExactly("q");
	}

	private static Object value(String value) {
		return value.matches("-?\\d+") ? Long.valueOf(value) : value;
	}

	/** The ladder's queues are said in one word, and from which level on if not all. */
	private static Set<String> unsafe(QueueType type, BrokerPolicy... policies) {
		Set<String> unsafe = findings(type, policies).stream()
			.filter(BrokerPolicyFinding::unsafe)
			.map(BrokerPolicyFinding::subject)
			.collect(Collectors.toCollection(TreeSet::new));
		List<String> ladder = MessageTopology.of("q")
			.ring(RetryQueueScope.SHARED)
			.build()
			.queues()
			.stream()
			.map(QueueDefinition::name)
			.filter(DelayLadder::hasLevel)
			.toList();
		List<String> levels = ladder.stream().filter(unsafe::remove).toList();
		if (!levels.isEmpty()) {
			assertThat(levels).isEqualTo(ladder.subList(ladder.indexOf(levels.get(0)), ladder.size()));
			unsafe
				.add(levels.equals(ladder) ? "ladder" : levels.get(0).replace(DelayLadder.NAME + ".", "ladder-from-"));
		}
		if (unsafe.remove(DelayLadder.UNROUTABLE)) {
			unsafe.add("unroutable");
		}
		return unsafe;
	}

	private static List<BrokerPolicyFinding> findings(QueueType type, BrokerPolicy... policies) {
		MessageTopology topology = MessageTopology.of("q")
			.queueType(type)
			.boundTo("orders", List.of())
			.quarantine(true)
			.delays(List.of(Duration.ofSeconds(10)))
			.build();
		return new BrokerPolicyEvaluation(List.of(topology)).run(new BrokerPolicies(List.of(policies)));
	}

}
