/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.topology;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class MessageTopologyTests {

	private static final Duration SECOND = Duration.ofSeconds(1);

	@Test
	void derivesEveryNameFromTheWorkQueue() {
		MessageTopology topology = MessageTopology.of("order.command.create")
			.delays(List.of(SECOND.multipliedBy(300), SECOND.multipliedBy(10)))
			.build();
		assertThat(topology.queues()).extracting(QueueModel::name)
			.containsExactlyInAnyOrder("order.command.create", "order.command.create.retry.10s",
					"order.command.create.retry.5m", "order.command.create.dlq", "order.command.create.parking-lot");
		assertThat(topology.exchanges()).containsExactly(new ExchangeModel("order.command.create.retry", "direct"),
				new ExchangeModel("order.command.create.dlx", "direct"));
	}

	@Test
	void givesUpFromTheWorkQueueIntoTheDeadLetterQueueNeverIntoTheRing() {
		QueueModel work = queue(MessageTopology.of("q").delays(List.of(SECOND)).build(), QueueRole.WORK);
		assertThat(work.arguments()).isEqualTo(Map.of("x-queue-type", "quorum", "x-dead-letter-exchange", "q.dlx",
				"x-dead-letter-routing-key", "q.dlq", "x-dead-letter-strategy", "at-least-once", "x-overflow",
				"reject-publish", "x-delivery-limit", 5));
	}

	@Test
	void bringsRetriesBackToTheWorkQueueAlone() {
		MessageTopology topology = MessageTopology.of("q")
			.boundTo("orders", List.of("a", "b"))
			.delays(List.of(SECOND))
			.build();
		QueueModel retry = queue(topology, QueueRole.RETRY);
		assertThat(retry.arguments()).isEqualTo(Map.of("x-queue-type", "quorum", "x-message-ttl", 1000L,
				"x-dead-letter-exchange", "q.retry", "x-dead-letter-routing-key", "q", "x-dead-letter-strategy",
				"at-least-once", "x-overflow", "reject-publish"));
		assertThat(topology.bindings()).contains(BindingModel.toQueue("q.retry", "q", "q"),
				BindingModel.toQueue("q.retry", "q.retry.1s", "q.retry.1s"), BindingModel.toQueue("orders", "a", "q"),
				BindingModel.toQueue("orders", "b", "q"));
	}

	@Test
	void keepsParkedAndDeadLetteredMessagesHoweverOftenTheyAreLookedAt() {
		MessageTopology topology = MessageTopology.of("q").build();
		assertThat(queue(topology, QueueRole.PARKING_LOT).arguments()).containsEntry("x-delivery-limit", -1);
		assertThat(queue(topology, QueueRole.DEAD_LETTER).arguments()).containsEntry("x-delivery-limit", -1);
	}

	@Test
	void leavesQuorumArgumentsOutOfClassicQueues() {
		MessageTopology topology = MessageTopology.of("q").queueType(QueueType.CLASSIC).delays(List.of(SECOND)).build();
		assertThat(topology.queues())
			.allSatisfy((queue) -> assertThat(queue.arguments()).containsEntry("x-queue-type", "classic")
				.doesNotContainKeys("x-delivery-limit", "x-dead-letter-strategy", "x-overflow"));
	}

	@Test
	void takesOverriddenNamesEverywhere() {
		MessageTopology topology = MessageTopology.of("q")
			.delays(List.of(SECOND))
			.names(new TopologyNames("again", "ring", "dead", "dead-queue", "parked", null))
			.build();
		assertThat(topology.queues()).extracting(QueueModel::name)
			.containsExactly("parked", "dead-queue", "q", "again.1s");
		assertThat(topology.bindings()).containsExactly(BindingModel.toQueue("dead", "parked", "parked"),
				BindingModel.toQueue("dead", "dead-queue", "dead-queue"), BindingModel.toQueue("ring", "q", "q"),
				BindingModel.toQueue("ring", "again.1s", "again.1s"));
	}

	@Test
	void bindsTheQueuesNameWhereNoKeyIsGiven() {
		MessageTopology topology = MessageTopology.of("q").boundTo("orders", List.of()).build();
		assertThat(topology.bindings()).contains(BindingModel.toQueue("orders", "q", "q"));
	}

	@ParameterizedTest
	@MethodSource
	void refusesWhatCannotWork(MessageTopology.Builder builder, String setting, String relation) {
		assertThatExceptionOfType(InvalidTopologyException.class).isThrownBy(builder::build).satisfies((ex) -> {
			assertThat(ex.setting()).isEqualTo(setting);
			assertThat(ex.relation()).contains(relation);
			assertThat(ex.remedy()).isNotBlank();
		});
	}

	static Stream<Arguments> refusesWhatCannotWork() {
		return Stream.of(Arguments.of(MessageTopology.of(" "), "queue", "must not be blank"),
				Arguments.of(MessageTopology.of("ü".repeat(95)), "queue", "must be at most 200 bytes, not 202"),
				Arguments.of(MessageTopology.of("amq.rabbit"), "queue", "must not start with 'amq.'"),
				Arguments.of(MessageTopology.of("q").deliveryLimit(0), "delivery-limit", "must be 1 or more"),
				Arguments.of(MessageTopology.of("q").delays(List.of(SECOND, SECOND)), "delay",
						"must not be given twice"),
				Arguments.of(MessageTopology.of("q").delays(List.of(Duration.ZERO)), "delay", "must be positive"),
				Arguments.of(MessageTopology.of("q").delays(List.of(Duration.ofNanos(1))), "delay",
						"must be whole milliseconds"),
				Arguments.of(MessageTopology.of("q").delays(List.of(Duration.ofDays(50))), "delay", "must be at most"),
				Arguments.of(MessageTopology.of("q").boundTo(null, List.of("k")), "routing-keys", "needs an exchange"),
				Arguments.of(MessageTopology.of("q").boundTo("q.dlx", List.of("k")), "exchange", "two roles"),
				Arguments.of(MessageTopology.of("q").names(new TopologyNames(null, null, null, "q", null, null)),
						"queue", "two roles"));
	}

	private static QueueModel queue(MessageTopology topology, QueueRole role) {
		return topology.queues().stream().filter((queue) -> queue.role() == role).findFirst().orElseThrow();
	}

}
