/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.policy;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class MessagePoliciesTests {

	@Test
	void findsAPolicyByItsQueue() {
		MessagePolicy policy = TestPolicy.order().build();
		MessagePolicies policies = new MessagePolicies(List.of(policy));
		assertThat(policies.all()).containsExactly(policy);
		assertThat(policies.ofQueue("order")).contains(policy);
		assertThat(policies.ofQueue("order.dlq")).isEmpty();
	}

	@Test
	void refusesASharedQueue() {
		List<MessagePolicy> policies = List.of(TestPolicy.order().build(), TestPolicy.named("Refund").build());
		assertThatIllegalArgumentException().isThrownBy(() -> new MessagePolicies(policies))
			.withMessage("policies 'Order' and 'Refund' share queue 'order'");
	}

	@Test
	void allPoliciesAreReplacedOrNone() {
		MessagePolicies policies = new MessagePolicies(List.of(TestPolicy.order().build()));
		MessagePolicy refund = TestPolicy.named("Refund").build();
		assertThatIllegalArgumentException()
			.isThrownBy(() -> policies.replace(List.of(refund, TestPolicy.order().build())));
		assertThat(policies.all()).extracting(MessagePolicy::messageType).containsExactly("Order");
		policies.replace(List.of(refund));
		assertThat(policies.all()).containsExactly(refund);
		assertThat(policies.ofQueue("order")).contains(refund);
	}

	@Test
	void aPolicyKnowsItsWorstCase() {
		assertThat(TestPolicy.order().localAttempts(2).brokerAttempts(3).build().budget().worstCaseHandlerCalls())
			.isEqualTo(8);
		assertThat(TestPolicy.order().localAttempts(1).brokerAttempts(0).build().budget().worstCaseHandlerCalls())
			.isEqualTo(1);
	}

}
