/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.topology;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.rabbitretry.topology.DelayRoute;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.amqp.core.Queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class MessageTopologyTests {

	private static final Duration SECOND = Duration.ofSeconds(1);

	@Test
	void theStraightWayIntoTheWorkQueueIsBoundWhateverTheRing() {
		for (RetryQueueScope ring : RetryQueueScope.values()) {
			MessageTopology topology = MessageTopology.of("order").ring(ring).build();
			DelayRoute route = topology.directRoute();
			assertThat(topology.exchanges()).extracting(ExchangeModel::name).contains(route.exchange());
			assertThat(topology.bindings()).filteredOn((binding) -> binding.exchange().equals(route.exchange()))
				.filteredOn((binding) -> binding.routingKey().replace("*", "0").equals(route.routingKey()))
				.singleElement()
				.extracting(BindingModel::destination)
				.isEqualTo("order");
		}
	}

	@Test
	void derivesEveryNameFromTheWorkQueue() {
		MessageTopology topology = MessageTopology.of("order.command.create")
			.delays(List.of(SECOND.multipliedBy(300), SECOND.multipliedBy(10)))
			.build();
		assertThat(topology.queues()).extracting(QueueModel::name)
			.containsExactlyInAnyOrder("order.command.create", "order.command.create.retry.10s",
					"order.command.create.retry.5m", "order.command.create.dlq", "order.command.create.undeliverable",
					"order.command.create.parking-lot");
		assertThat(topology.exchanges()).containsExactly(new ExchangeModel("order.command.create.retry", "direct"),
				new ExchangeModel("order.command.create.dlx", "direct"));
	}

	@Test
	void givesUpIntoTheDeadLetterQueueNeverIntoTheRing() {
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
	void keepsParkedMessagesHoweverOftenTheyAreLookedAt() {
		MessageTopology topology = MessageTopology.of("q").build();
		assertThat(queue(topology, QueueRole.PARKING_LOT).arguments()).containsEntry("x-delivery-limit", -1);
		assertThat(queue(topology, QueueRole.UNDELIVERABLE).arguments()).containsEntry("x-delivery-limit", -1)
			.doesNotContainKey("x-dead-letter-exchange");
	}

	@Test
	void movesAnUnreceivableDeadLetterToTheLastQueueAtLeastOnce() {
		QueueModel deadLetters = queue(MessageTopology.of("q").deliveryLimit(7).build(), QueueRole.DEAD_LETTER);
		assertThat(deadLetters.arguments()).isEqualTo(Map.of("x-queue-type", "quorum", "x-dead-letter-exchange",
				"q.dlx", "x-dead-letter-routing-key", "q.undeliverable", "x-dead-letter-strategy", "at-least-once",
				"x-overflow", "reject-publish", "x-delivery-limit", 27));
		assertThat(MessageTopology.of("q").build().bindings())
			.contains(BindingModel.toQueue("q.dlx", "q.undeliverable", "q.undeliverable"));
	}

	@Test
	void leavesQuorumArgumentsOutOfClassicQueues() {
		MessageTopology topology = MessageTopology.of("q").queueType(QueueType.CLASSIC).delays(List.of(SECOND)).build();
		assertThat(topology.queues())
			.allSatisfy((queue) -> assertThat(queue.arguments()).containsEntry("x-queue-type", "classic")
				.doesNotContainKeys("x-delivery-limit", "x-dead-letter-strategy"));
	}

	@ParameterizedTest
	@EnumSource
	void refusesMessagesWhenFullInsteadOfDroppingOldOnesInEveryQueue(QueueType type) {
		for (RetryQueueScope ring : RetryQueueScope.values()) {
			MessageTopology topology = MessageTopology.of("q")
				.queueType(type)
				.ring(ring)
				.quarantine(true)
				.delays(List.of(SECOND))
				.longestDelay(SECOND.multipliedBy(60))
				.build();
			assertThat(topology.queues()).extracting(QueueModel::role)
				.contains(QueueRole.WORK, QueueRole.DEAD_LETTER, QueueRole.PARKING_LOT, QueueRole.RETRY);
			assertThat(topology.queues())
				.allSatisfy((queue) -> assertThat(queue.arguments()).containsEntry("x-overflow", "reject-publish"));
		}
	}

	@Test
	void neitherDeclaresNorBindsAnExistingQueue() {
		MessageTopology topology = MessageTopology.of("q")
			.workQueue(WorkQueue.EXISTING)
			.delays(List.of(SECOND))
			.longestDelay(SECOND.multipliedBy(60))
			.build();
		QueueModel work = queue(topology, QueueRole.WORK);
		assertThat(work.existing()).isTrue();
		assertThat(work.arguments()).isEmpty();
		assertThat(topology.bindings()).extracting(BindingModel::destination)
			.doesNotContain("q")
			.contains("q.retry.1s", "q.retry.return", "q.parking-lot", "q.dlq");
		assertThat(topology.queues()).filteredOn((queue) -> queue.name().startsWith("q.retry."))
			.extracting(QueueModel::name)
			.containsExactly("q.retry.1s", "q.retry.return");
		assertThat(topology.queues()).filteredOn((queue) -> queue.name().startsWith("q.retry."))
			.allSatisfy((queue) -> assertThat(queue.arguments()).containsEntry("x-dead-letter-exchange", "")
				.containsEntry("x-dead-letter-routing-key", "q"));
		assertThat(topology.directRoute()).isEqualTo(new DelayRoute("", "q", Duration.ZERO));
		assertThat(TopologyDeclarables.of(topology).getDeclarablesByType(Queue.class)).extracting(Queue::getName)
			.hasSize(topology.queues().size() - 1)
			.doesNotContain("q");
		assertThat(TopologyDiagram.mermaid(topology)).doesNotContain("null");
	}

	@Test
	void leadsFromASharedLadderBackToAnExistingQueueToo() {
		MessageTopology topology = MessageTopology.of("q")
			.workQueue(WorkQueue.EXISTING)
			.ring(RetryQueueScope.SHARED)
			.build();
		assertThat(topology.ownQueues()).extracting(QueueModel::name)
			.containsExactly("q.parking-lot", "q.undeliverable", "q.dlq", "q", "q.retry.return");
		assertThat(topology.bindings())
			.filteredOn((binding) -> binding.exchange().equals("rabbit-retry.delay.delivery"))
			.singleElement()
			.extracting(BindingModel::destination)
			.isEqualTo("q.retry.return");
	}

	@Test
	void takesOverriddenNamesEverywhere() {
		MessageTopology topology = MessageTopology.of("q")
			.delays(List.of(SECOND))
			.names(new TopologyNames("again", "ring", "dead", "dead-queue", "parked", null, null, "last"))
			.build();
		assertThat(topology.queues()).extracting(QueueModel::name)
			.containsExactly("parked", "last", "dead-queue", "q", "again.1s");
		assertThat(topology.bindings()).containsExactly(BindingModel.toQueue("dead", "parked", "parked"),
				BindingModel.toQueue("dead", "dead-queue", "dead-queue"), BindingModel.toQueue("dead", "last", "last"),
				BindingModel.toQueue("ring", "q", "q"), BindingModel.toQueue("ring", "again.1s", "again.1s"));
	}

	@Test
	void hasALadderForOtherDelaysIfALongestOneIsGiven() {
		MessageTopology topology = MessageTopology.of("q")
			.delays(List.of(SECOND))
			.longestDelay(Duration.ofHours(2))
			.build();
		assertThat(topology.queues()).hasSize(5 + 15)
			.extracting(QueueModel::name)
			.contains("q.retry.1s", "q.delay.250ms", "q.delay.4096s")
			.doesNotContain("q.delay.8192s");
		assertThat(topology.ownQueues()).isEqualTo(topology.queues());
		assertThat(List.of("q.retry", "q.delay", "q.delay.1s", "q.delay.delivery", "q.delay.524288s"))
			.allMatch(topology::isRingExchange);
		assertThat(List.of("", "q", "q.dlx", "q.delay.3s", "x.q.delay.1s")).noneMatch(topology::isRingExchange);
	}

	@Test
	void sharesOneLadderOfFullHeightInsteadOfARetryQueueForEachDelay() {
		MessageTopology topology = MessageTopology.of("q").ring(RetryQueueScope.SHARED).delays(List.of(SECOND)).build();
		MessageTopology other = MessageTopology.of("r").ring(RetryQueueScope.SHARED).longestDelay(SECOND).build();
		assertThat(topology.ownQueues()).extracting(QueueModel::name)
			.containsExactly("q.parking-lot", "q.undeliverable", "q.dlq", "q");
		assertThat(topology.queues()).hasSize(4 + 22).extracting(QueueModel::name).contains("rabbit-retry.delay.1s");
		assertThat(topology.exchanges()).doesNotContain(new ExchangeModel("q.retry", "direct"));
		TopologyParts both = TopologyParts.of(List.of(topology, other));
		assertThat(both.queues()).hasSize(4 + 4 + 22);
		assertThat(both.exchanges()).hasSize(1 + 1 + 23);
		assertThat(both.bindings()).hasSize(4 + 4 + 22 + 42);
		assertThat(topology.isRingExchange("rabbit-retry.delay.250ms")).isTrue();
	}

	@Test
	void takesOverriddenPrefixesOfLadders() {
		assertThat(MessageTopology.of("q").ring(RetryQueueScope.SHARED).sharedRingPrefix("acme").build().queues())
			.extracting(QueueModel::name)
			.contains("acme.1s");
		TopologyNames names = new TopologyNames(null, null, null, null, null, "later", null, null);
		assertThat(MessageTopology.of("q").names(names).longestDelay(SECOND).build().queues())
			.extracting(QueueModel::name)
			.contains("later.1s");
	}

	@ParameterizedTest
	@CsvSource({ "PT10S, q.retry.10s, PT10S", "PT9.9S, q.retry.10s, PT10S", "PT9.7S, , PT9.75S",
			"PT10.001S, , PT10.25S", "PT0.5S, , PT0.5S", "PT1M, q.retry.1m, PT1M", "PT3H, , PT2H16M31.75S" })
	void waitsOnTheLevelOfThatLengthElseInTheLadder(Duration asked, String retryQueue, Duration waited) {
		DelayRoute route = MessageTopology.of("q")
			.delays(List.of(SECOND.multipliedBy(10), SECOND.multipliedBy(60)))
			.longestDelay(Duration.ofHours(2))
			.build()
			.route(asked);
		assertThat(route.delay()).isEqualTo(waited);
		assertThat(route.exchange()).isEqualTo((retryQueue != null) ? "q.retry" : "q.delay");
		assertThat(route.routingKey()).endsWith((retryQueue != null) ? retryQueue : ".q");
	}

	@ParameterizedTest
	@CsvSource({ "PT10S, PT10S", "PT59S, PT10S", "PT1M, PT1M", "PT2H, PT1M", "PT1S, PT10S" })
	void waitsOnTheLongestLevelThatIsNotLongerWithoutALadder(Duration asked, Duration waited) {
		MessageTopology topology = MessageTopology.of("q")
			.delays(List.of(SECOND.multipliedBy(10), SECOND.multipliedBy(60)))
			.build();
		assertThat(topology.route(asked).delay()).isEqualTo(waited);
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
				Arguments.of(MessageTopology.of("q").longestDelay(Duration.ofDays(11)), "longest delay",
						"must be positive and at most PT240H"),
				Arguments.of(MessageTopology.of("a.*").ring(RetryQueueScope.SHARED), "queue",
						"must not have '*' between its dots"),
				Arguments.of(MessageTopology.of("#").longestDelay(SECOND), "queue",
						"must not have '#' between its dots"),
				Arguments.of(MessageTopology.of("rabbit-retry.delay.1s").ring(RetryQueueScope.SHARED), "queue",
						"two roles"),
				Arguments.of(
						MessageTopology.of("q")
							.ring(RetryQueueScope.SHARED)
							.names(new TopologyNames(null, null, null, null, null, "later", null, null)),
						"names.delay-prefix", "names nothing where the ring is shared"),
				Arguments.of(MessageTopology.of("q").boundTo(null, List.of("k")), "routing-keys", "needs an exchange"),
				Arguments.of(MessageTopology.of("q").boundTo("q.dlx", List.of("k")), "exchange", "two roles"),
				Arguments.of(
						MessageTopology.of("q").names(new TopologyNames(null, null, null, "q", null, null, null, null)),
						"queue", "two roles"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "amq.delay",
			"ppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppp"
					+ "pppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppp" })
	void refusesASharedPrefixThatCannotBeAName(String prefix) {
		assertThatExceptionOfType(InvalidTopologyException.class)
			.isThrownBy(() -> MessageTopology.of("q").sharedRingPrefix(prefix))
			.satisfies((ex) -> assertThat(ex.setting()).isEqualTo("shared-ring-prefix"));
	}

	private static QueueModel queue(MessageTopology topology, QueueRole role) {
		return topology.queues().stream().filter((queue) -> queue.role() == role).findFirst().orElseThrow();
	}

}
