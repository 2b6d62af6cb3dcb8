/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.brokerpolicy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.internal.topology.WorkQueueMode;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class PolicyExaminationTests {

	@ParameterizedTest
	@CsvSource({ "20000, ,", ", 20000,", ", , 20000", "20000, 90000, 90000", "90000, 20000, 90000",
			"90000, 90000, 20000" })
	void theLowestOfArgumentPolicyAndOperatorPolicyIsTooShort(@Nullable Integer argument, @Nullable Long policy,
			@Nullable Long operator) {
		assertThat(tooShort(true, argument, policy, operator)).singleElement()
			.asString()
			.contains("handler-timeout: 'PT20S'", "consumer timeout of existing queue 'q', which is PT20S by");
	}

	@ParameterizedTest
	@CsvSource({ ", ,", "20001, ,", "20001, 90000, 90000" })
	void aLongerOneOrNoneIsNot(@Nullable Integer argument, @Nullable Long policy, @Nullable Long operator) {
		assertThat(tooShort(true, argument, policy, operator)).isEmpty();
	}

	@Test
	void ofAQueueOfOursOnlyPoliciesAreJudgedAndNotHere() {
		assertThat(tooShort(false, 1, 1L, 1L)).isEmpty();
	}

	@Test
	void aQueueThatIsNotThereIsSomebodyElsesProblem() {
		assertThat(new PolicyExamination(List.of(topology(true))).timeoutsTooShort(new BrokerPolicies(List.of()),
				(queue) -> Optional.empty()))
			.isEmpty();
	}

	private static List<InvalidConfigurationException> tooShort(boolean existing, @Nullable Integer argument,
			@Nullable Long policy, @Nullable Long operator) {
		BrokerPolicies policies = new BrokerPolicies(
				List.of(TestPolicies.user("p", ".*", (policy != null) ? Map.of("consumer-timeout", policy) : Map.of()),
						TestPolicies.operator("o", ".*",
								(operator != null) ? Map.of("consumer-timeout", operator) : Map.of())));
		Map<String, @Nullable Object> arguments = (argument != null) ? Map.of("x-consumer-timeout", argument)
				: Map.of();
		return new PolicyExamination(List.of(topology(existing))).timeoutsTooShort(policies,
				(queue) -> Optional.of(new QueueDescription("quorum", true, arguments)));
	}

	private static MessageTopology topology(boolean existing) {
		return MessageTopology.of("q")
			.workQueue(existing ? WorkQueueMode.EXISTING : WorkQueueMode.DECLARE)
			.longestHold(Duration.ofSeconds(20))
			.delays(List.of(Duration.ofSeconds(10)))
			.build();
	}

}
