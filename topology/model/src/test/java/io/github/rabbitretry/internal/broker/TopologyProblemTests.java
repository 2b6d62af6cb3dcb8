/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.broker;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class TopologyProblemTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					404 | NOT_FOUND - no queue 'order' in vhost '/' | it does not exist
					404 | NOT_FOUND - home node 'rabbit@three' of durable queue 'order' in vhost '/' is down or inaccessible | it is not available (NOT_FOUND - home node 'rabbit@three' of durable queue 'order' in vhost '/' is down or inaccessible)
					403 | ACCESS_REFUSED - configure access refused | this user may not declare it (ACCESS_REFUSED - configure access refused)
					406 | PRECONDITION_FAILED - inequivalent arg 'durable' for queue 'order' in vhost '/': received 'true' but current is 'false', class-id=50, method-id=10 | argument 'durable' is 'false' on the broker, but the message policy asks for 'true'
					406 | PRECONDITION_FAILED - inequivalent arg 'x-message-ttl' for queue 'order' in vhost '/': received the value '1000' of type 'long' but current is none | argument 'x-message-ttl' is none on the broker, but the message policy asks for the value '1000' of type 'long'
					406 | PRECONDITION_FAILED - something else | the broker refused it (406 PRECONDITION_FAILED - something else)
					541 | INTERNAL_ERROR | the broker refused it (541 INTERNAL_ERROR)
					""",
			quoteCharacter = '"')
	void readsTheBrokersAnswer(int code, String text, String problem) {
		TopologyProblem refused = TopologyProblem.refused("queue 'order'", code, text);
		assertThat(refused.problem()).isEqualTo(problem);
		assertThat(refused.remedy()).endsWith(".");
	}

	@Test
	void leavesAnExchangeOfAnotherTypeToItsProducers() {
		TopologyProblem refused = TopologyProblem.refused("exchange 'orders'", 406,
				"PRECONDITION_FAILED - inequivalent arg 'type' for exchange 'orders' in vhost '/': received 'topic' but current is 'direct', class-id=40, method-id=10");
		assertThat(refused.problem())
			.isEqualTo("argument 'type' is 'direct' on the broker, but the message policy asks for 'topic'");
		assertThat(refused.remedy()).startsWith("If producers publish to it, remove exchange and routing-keys from")
			.doesNotContain("Drain", "delete");
	}

	@Test
	void doesNotAdviseQueuesThatAreMoreWhereTheirNumberIsLimited() {
		assertThat(TopologyProblem
			.refused("queue 'order'", 406,
					"PRECONDITION_FAILED - cannot declare queue 'order': queue limit in vhost '/' (9) is reached")
			.remedy()).startsWith("Raise max-queues").contains("fewer delays: each is a queue");
	}

	@Test
	void hasNoRemedyForAnOrderedQueueThatLosesTheOrder() {
		String refusal = "PRECONDITION_FAILED - inequivalent arg 'x-single-active-consumer' for queue 'order' in vhost '/': received %s but current is %s";
		assertThat(TopologyProblem
			.refused("queue 'order'", 406, refusal.formatted("the value 'true' of type 'bool'", "none"))
			.remedy()).contains("set its ordering to none").doesNotContain("existing", "topology.mode");
		assertThat(TopologyProblem
			.refused("queue 'order'", 406, refusal.formatted("none", "the value 'true' of type 'bool'"))
			.remedy()).contains("work-queue of its message policy to existing");
	}

}
