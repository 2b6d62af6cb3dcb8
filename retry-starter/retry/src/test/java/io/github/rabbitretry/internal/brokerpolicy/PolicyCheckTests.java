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

import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.internal.topology.QueueType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class PolicyCheckTests {

	private static final Set<String> QUORUM_QUEUES = Set.of("q", "q.quarantine", "q.dlq", "q.parking-lot",
			"q.undeliverable", "q.retry.10s", "q.delay.250ms", "q.delay.500ms", "q.delay.1s");

	@ParameterizedTest
	@CsvSource(delimiter = '|', nullValues = "-",
			textBlock = """
					overflow                | drop-head           | q q.delay.1s q.delay.250ms q.delay.500ms q.dlq q.parking-lot q.quarantine q.retry.10s q.undeliverable
					overflow                | reject-publish-dlx  | q q.delay.1s q.delay.250ms q.delay.500ms q.dlq q.parking-lot q.quarantine q.retry.10s q.undeliverable
					overflow                | reject-publish      | -
					message-ttl             | 999                 | q.delay.1s q.dlq q.parking-lot q.retry.10s q.undeliverable
					message-ttl             | 10000               | q.dlq q.parking-lot q.undeliverable
					expires                 | 60000               | q q.delay.1s q.delay.250ms q.delay.500ms q.dlq q.parking-lot q.quarantine q.retry.10s q.undeliverable
					delivery-limit          | 4                   | q.parking-lot q.undeliverable
					delivery-limit          | -1                  | -
					dead-letter-routing-key | k                   | q.delay.1s q.delay.250ms q.delay.500ms
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
	@CsvSource(delimiter = '|', nullValues = "-",
			textBlock = """
					overflow                | drop-head  | -
					message-ttl             | 999        | q.delay.1s q.dlq q.parking-lot q.retry.10s q.undeliverable
					expires                 | 60000      | q q.delay.1s q.delay.250ms q.delay.500ms q.dlq q.parking-lot q.retry.10s q.undeliverable
					delivery-limit          | 4          | -
					dead-letter-routing-key | k          | q.delay.1s q.delay.250ms q.delay.500ms
					max-length              | 40         | -
					""")
	void aKeyOfAPolicyIsUnsafeForTheseClassicQueues(String key, String value, String queues) {
		assertThat(unsafe(QueueType.CLASSIC, TestPolicies.user("p", ".*", Map.of(key, value(value)))))
			.isEqualTo((queues != null) ? Set.of(queues.split(" ")) : Set.of());
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
		assertThat(unsafe(QueueType.QUORUM, alternate)).contains("q.retry", "q.dlx", "q.delay", "q.delay.delivery")
			.doesNotContain("orders");
	}

	@Test
	void limitsThatLoseNothingAreGoodToKnow() {
		List<PolicyFinding> findings = findings(QueueType.QUORUM,
				TestPolicies.user("p", "^q(\\.dlq)?$", Map.of("max-length", 40L, "consumer-timeout", 60_000L)),
				TestPolicies.operator("o", "^q$", Map.of("message-ttl", 1000L, "delivery-limit", 3L)));
		assertThat(findings).allMatch((finding) -> !finding.unsafe())
			.extracting((finding) -> finding.subject() + " " + finding.key())
			.containsExactlyInAnyOrder("q max-length", "q consumer-timeout", "q.dlq max-length",
					"q.dlq consumer-timeout", "q message-ttl", "q delivery-limit");
	}

	@Test
	void aDelayedRetryIsGoodToKnowOfParkingLotsAlone() {
		BrokerPolicy delayed = TestPolicies.user("p", ".*", Map.of("delayed-retry-type", "all"));
		assertThat(findings(QueueType.QUORUM, delayed)).singleElement().satisfies((finding) -> {
			assertThat(finding.subject()).isEqualTo("q.parking-lot");
			assertThat(finding.unsafe()).isFalse();
		});
		assertThat(findings(QueueType.QUORUM, TestPolicies.user("p", ".*", Map.of("delayed-retry-type", "disabled"))))
			.isEmpty();
	}

	private static Object value(String value) {
		return value.matches("-?\\d+") ? Long.valueOf(value) : value;
	}

	private static Set<String> unsafe(QueueType type, BrokerPolicy... policies) {
		return findings(type, policies).stream()
			.filter(PolicyFinding::unsafe)
			.map(PolicyFinding::subject)
			.collect(Collectors.toCollection(TreeSet::new));
	}

	private static List<PolicyFinding> findings(QueueType type, BrokerPolicy... policies) {
		MessageTopology topology = MessageTopology.of("q")
			.queueType(type)
			.boundTo("orders", List.of())
			.quarantine(true)
			.delays(List.of(Duration.ofSeconds(10)))
			.longestDelay(Duration.ofSeconds(1))
			.build();
		return new PolicyCheck(List.of(topology)).run(new BrokerPolicies(List.of(policies)));
	}

}
