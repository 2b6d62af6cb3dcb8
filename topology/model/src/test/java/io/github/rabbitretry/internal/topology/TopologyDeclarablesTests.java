/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.topology;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import org.springframework.amqp.core.Binding;
import org.springframework.amqp.core.Declarables;
import org.springframework.amqp.core.Exchange;
import org.springframework.amqp.core.Queue;

import static org.assertj.core.api.Assertions.assertThat;

class TopologyDeclarablesTests {

	private final MessageTopology topology = MessageTopology.of("q").delays(List.of(Duration.ofSeconds(1))).build();

	private final Declarables declarables = TopologyDeclarables.of(TopologyParts.of(List.of(this.topology)));

	@Test
	void carryTheWholeModel() {
		assertThat(this.declarables.getDeclarablesByType(Queue.class)).hasSize(4 + 23)
			.allSatisfy((queue) -> assertThat(queue.isDurable()).isTrue())
			.extracting(Queue::getArguments)
			.containsExactlyElementsOf(this.topology.queues().stream().map(QueueDefinition::arguments).toList());
		assertThat(this.declarables.getDeclarablesByType(Exchange.class)).extracting(Exchange::getName)
			.hasSize(2 + 24)
			.contains("q.retry", "q.dlx", "rabbit-retry.delay.v1");
		assertThat(this.declarables.getDeclarablesByType(Exchange.class))
			.filteredOn((exchange) -> !exchange.getArguments().isEmpty())
			.singleElement()
			.satisfies((exchange) -> assertThat(exchange.getArguments())
				.isEqualTo(Map.of("alternate-exchange", "rabbit-retry.delay.v1.unroutable")));
		assertThat(this.declarables.getDeclarablesByType(Binding.class)).hasSize(6 + 275);
	}

	@Test
	void bindExchangesToExchanges() {
		Declarables shared = TopologyDeclarables
			.of(TopologyParts.of(List.of(MessageTopology.of("q").ring(RetryQueueScope.SHARED).build())));
		assertThat(shared.getDeclarablesByType(Binding.class)).filteredOn((binding) -> !binding.isDestinationQueue())
			.hasSize(21)
			.extracting(Binding::getDestination)
			.containsOnly("rabbit-retry.delay.v1.delivery");
	}

	@Test
	void doNotKeepTheAdminFromDeclaringTheRest() {
		assertThat(this.declarables.getDeclarables())
			.allMatch((declarable) -> declarable.isIgnoreDeclarationExceptions());
	}

}
