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

import org.springframework.amqp.core.Queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class MessageTopologyTests {

	private static final Duration SECOND = Duration.ofSeconds(1);

	@Test
	void theStraightWayIntoTheWorkQueueIsBoundWhateverTheRing() {
		for (RetryQueueScope ring : RetryQueueScope.values()) {
			MessageTopology topology = MessageTopology.of("order").ring(ring).build();
			DelayRoute route = topology.directRoute();
			assertThat(topology.exchanges()).extracting(ExchangeDefinition::name).contains(route.exchange());
			assertThat(topology.bindings()).filteredOn((binding) -> binding.exchange().equals(route.exchange()))
				.filteredOn((binding) -> binding.routingKey().equals(route.routingKey()))
				.singleElement()
				.extracting(BindingDefinition::destination)
				.isEqualTo("order");
		}
	}

	@Test
	void derivesEveryNameFromTheWorkQueue() {
		MessageTopology topology = MessageTopology.of("order.command.create")
			.delays(List.of(SECOND.multipliedBy(300), SECOND.multipliedBy(10)))
			.build();
		assertThat(topology.ownQueues()).extracting(QueueDefinition::name)
			.containsExactlyInAnyOrder("order.command.create", "order.command.create.retry.10s",
					"order.command.create.retry.5m", "order.command.create.dlq", "order.command.create.parking-lot");
		assertThat(topology.ownParts().exchanges()).containsExactly(
				new ExchangeDefinition("order.command.create.dlx", "direct"),
				new ExchangeDefinition("order.command.create.retry", "direct"));
	}

	@Test
	void givesUpIntoTheDeadLetterQueueNeverIntoTheRing() {
		QueueDefinition work = queue(MessageTopology.of("q").delays(List.of(SECOND)).build(), QueueRole.WORK);
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
		QueueDefinition retry = queue(topology, QueueRole.RETRY);
		assertThat(retry.arguments()).isEqualTo(Map.of("x-queue-type", "quorum", "x-message-ttl", 1000L,
				"x-dead-letter-exchange", "q.retry", "x-dead-letter-routing-key", "q", "x-dead-letter-strategy",
				"at-least-once", "x-overflow", "reject-publish"));
		assertThat(topology.bindings()).contains(BindingDefinition.toQueue("q.retry", "q", "q"),
				BindingDefinition.toQueue("q.retry", "q.retry.1s", "q.retry.1s"),
				BindingDefinition.toQueue("orders", "a", "q"), BindingDefinition.toQueue("orders", "b", "q"));
	}

	@Test
	void keepsParkedMessagesHoweverOftenTheyAreLookedAt() {
		MessageTopology topology = MessageTopology.of("q").ring(RetryQueueScope.SHARED).build();
		assertThat(queue(topology, QueueRole.PARKING_LOT).arguments()).containsEntry("x-delivery-limit", -1);
		assertThat(queue(topology, QueueRole.UNROUTABLE).arguments()).containsEntry("x-delivery-limit", -1)
			.doesNotContainKey("x-dead-letter-exchange");
	}

	@Test
	void movesAnUnreceivableDeadLetterToTheLastQueueAtLeastOnce() {
		QueueDefinition deadLetters = queue(MessageTopology.of("q").deliveryLimit(7).build(), QueueRole.DEAD_LETTER);
		assertThat(deadLetters.arguments()).isEqualTo(Map.of("x-queue-type", "quorum", "x-dead-letter-exchange",
				"q.dlx", "x-dead-letter-routing-key", "q.undeliverable", "x-dead-letter-strategy", "at-least-once",
				"x-overflow", "reject-publish", "x-delivery-limit", 27));
		BindingDefinition last = BindingDefinition.toQueue("q.dlx", "q.undeliverable",
				"rabbit-retry.delay.v1.unroutable");
		MessageTopology topology = MessageTopology.of("q").build();
		assertThat(topology.lastQueueBinding()).isEqualTo(last);
		assertThat(topology.bindings()).doesNotContain(last);
		for (MessageTopologyBuilder builder : List.of(MessageTopology.of("q").ring(RetryQueueScope.SHARED),
				MessageTopology.of("q").queueType(QueueType.CLASSIC))) {
			assertThat(builder.build().bindings()).contains(last);
			assertThat(builder.build().queues()).containsOnlyOnce(topology.lastQueue());
		}
	}

	@Test
	void leavesQuorumArgumentsOutOfClassicQueuesButNotOfTheLadder() {
		MessageTopology topology = MessageTopology.of("q").queueType(QueueType.CLASSIC).delays(List.of(SECOND)).build();
		assertThat(topology.queues()).containsAll(DelayLadder.parts(22).queues());
		assertThat(topology.ownQueues())
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
				.build();
			assertThat(topology.queues()).extracting(QueueDefinition::role)
				.contains(QueueRole.WORK, QueueRole.DEAD_LETTER, QueueRole.PARKING_LOT, QueueRole.RETRY);
			assertThat(topology.queues())
				.allSatisfy((queue) -> assertThat(queue.arguments()).containsEntry("x-overflow", "reject-publish"));
		}
	}

	@Test
	void neitherDeclaresNorBindsAnExistingQueue() {
		MessageTopology topology = MessageTopology.of("q")
			.workQueue(WorkQueueMode.EXISTING)
			.delays(List.of(SECOND))
			.build();
		QueueDefinition work = queue(topology, QueueRole.WORK);
		assertThat(work.existing()).isTrue();
		assertThat(work.arguments()).isEmpty();
		assertThat(topology.bindings()).extracting(BindingDefinition::destination)
			.doesNotContain("q")
			.contains("q.retry.1s", "q.retry.return", "q.parking-lot", "q.dlq");
		assertThat(topology.queues()).filteredOn((queue) -> queue.name().startsWith("q.retry."))
			.extracting(QueueDefinition::name)
			.containsExactlyInAnyOrder("q.retry.1s", "q.retry.return");
		assertThat(topology.queues()).filteredOn((queue) -> queue.name().startsWith("q.retry."))
			.allSatisfy((queue) -> assertThat(queue.arguments()).containsEntry("x-dead-letter-exchange", "")
				.containsEntry("x-dead-letter-routing-key", "q"));
		assertThat(topology.directRoute()).isEqualTo(new DelayRoute("", "q", Duration.ZERO));
		assertThat(TopologyDeclarables.of(TopologyParts.of(List.of(topology))).getDeclarablesByType(Queue.class))
			.extracting(Queue::getName)
			.hasSize(topology.queues().size() - 1)
			.doesNotContain("q");
		assertThat(TopologyDiagram.mermaid(topology)).doesNotContain("null");
	}

	@Test
	void leadsFromTheLadderBackToAnExistingQueueToo() {
		MessageTopology topology = MessageTopology.of("q")
			.workQueue(WorkQueueMode.EXISTING)
			.ring(RetryQueueScope.SHARED)
			.build();
		assertThat(topology.ownQueues()).extracting(QueueDefinition::name)
			.containsExactly("q.parking-lot", "q.dlq", "q", "q.retry.return");
		assertThat(topology.bindings())
			.filteredOn((binding) -> binding.exchange().equals("rabbit-retry.delay.v1.delivery"))
			.singleElement()
			.extracting(BindingDefinition::destination)
			.isEqualTo("q.retry.return");
	}

	@Test
	void leadsToAnExistingQueueByAKeyThatAnEarlierBindingOfItDoesNotTake() {
		MessageTopology topology = MessageTopology.of("q")
			.workQueue(WorkQueueMode.EXISTING)
			.ring(RetryQueueScope.SHARED)
			.build();
		assertThat(topology.bindings()).contains(DelayLadder.exit("q.retry.return", "q.retry.return"));
		assertThat(topology.route(SECOND).routingKey()).endsWith(".1.0.0.q.retry.return");
	}

	@Test
	void takesOverriddenNamesEverywhere() {
		MessageTopology topology = MessageTopology.of("q")
			.delays(List.of(SECOND))
			.names(new TopologyNames("again", "ring", "dead", "dead-queue", "parked", null))
			.build();
		assertThat(topology.ownQueues()).extracting(QueueDefinition::name)
			.containsExactly("parked", "dead-queue", "q", "again.1s");
		assertThat(topology.ownParts().bindings()).containsExactly(
				BindingDefinition.toQueue("dead", "parked", "parked"),
				BindingDefinition.toQueue("dead", "dead-queue", "dead-queue"),
				BindingDefinition.toQueue("dead", "q.undeliverable", "rabbit-retry.delay.v1.unroutable"),
				BindingDefinition.toQueue("ring", "q", "q"), BindingDefinition.toQueue("ring", "again.1s", "again.1s"),
				DelayLadder.exit("q", "q"));
	}

	@Test
	void hasTheLadderWhereDelaysHaveToBeExact() {
		MessageTopologyBuilder builder = MessageTopology.of("q")
			.delays(List.of(SECOND))
			.longestDelay(Duration.ofMinutes(10));
		assertThat(builder.build().queues()).hasSize(4);
		assertThat(builder.exactDelays(true).build().queues()).hasSize(4 + 1 + 12);
		assertThat(builder.exactDelays(false).jittered(true).build().queues()).hasSize(4 + 1 + 12);
		assertThat(builder.jittered(false).ring(RetryQueueScope.SHARED).build().queues()).hasSize(3 + 1 + 12);
		MessageTopology never = MessageTopology.of("q").exactDelays(true).build();
		assertThat(never.queues()).hasSize(3);
		assertThatIllegalStateException().isThrownBy(() -> never.route(SECOND));
	}

	@ParameterizedTest
	@CsvSource({ "1, PT33M19S, false", "1, PT33M20S, true", "1, PT2H, true", "4, PT2H, false", "1800, P10D, false" })
	void hasTheLadderWhereADelayWouldTakeTooManyWaits(int seconds, Duration longest, boolean ladder) {
		MessageTopology topology = MessageTopology.of("q")
			.delays(List.of(Duration.ofSeconds(seconds)))
			.longestDelay(longest)
			.build();
		assertThat(topology.hasLadder()).isEqualTo(ladder);
	}

	@ParameterizedTest
	@CsvSource({ "PT10S, q.retry.10s, PT10S, PT10S", "PT1S, q.retry.10s, PT10S, PT10S",
			"PT10.001S, q.retry.10s, PT10S, PT20S", "PT58.9S, q.retry.10s, PT10S, PT60S",
			"PT59S, q.retry.1m, PT1M, PT60S", "PT1M, q.retry.1m, PT1M, PT1M", "PT59.95S, q.retry.1m, PT1M, PT1M",
			"PT1M59.95S, q.retry.1m, PT1M, PT2M", "PT9.9S, q.retry.10s, PT10S, PT10S", "PT76S, q.retry.1m, PT1M, PT80S",
			"PT1H, q.retry.1m, PT1M, PT1H", "PT-1S, q.retry.10s, PT10S, PT10S" })
	void composesOtherDelaysOfItsOwnTheLargestFirst(Duration asked, String key, Duration first, Duration altogether) {
		MessageTopology topology = MessageTopology.of("q")
			.delays(List.of(SECOND.multipliedBy(10), SECOND.multipliedBy(60)))
			.longestDelay(Duration.ofHours(2))
			.build();
		assertThat(topology.route(asked)).isEqualTo(new DelayRoute("q.retry", key, first));
		assertThat(topology.waitingTime(asked)).isEqualTo(altogether);
	}

	@Test
	void makesNineQueuesAndTwoExchangesForFiveDelaysAndAQuarantine() {
		MessageTopology topology = MessageTopology.of("q")
			.quarantine(true)
			.delays(Stream.of(5, 30, 180, 1080, 1800).map(Duration::ofSeconds).toList())
			.longestDelay(Duration.ofHours(2))
			.build();
		assertThat(topology.queues()).hasSize(9);
		assertThat(topology.exchanges()).hasSize(2);
	}

	@Test
	void knowsTheExchangesThatMessagesComeBackThrough() {
		MessageTopology topology = MessageTopology.of("q").delays(List.of(SECOND)).build();
		assertThat(List.of("q.retry", "rabbit-retry.delay.v1", "rabbit-retry.delay.v1.1s",
				"rabbit-retry.delay.v1.delivery"))
			.allMatch(topology::isRingExchange);
		assertThat(List.of("", "q", "q.dlx", "rabbit-retry.delay.v11", "x.rabbit-retry.delay.v1.1s"))
			.noneMatch(topology::isRingExchange);
	}

	@Test
	void waitsOnTheLadderForEveryDelayIfTheRingIsShared() {
		MessageTopology topology = MessageTopology.of("q").ring(RetryQueueScope.SHARED).delays(List.of(SECOND)).build();
		MessageTopology other = MessageTopology.of("r").delays(List.of(SECOND)).build();
		assertThat(topology.ownQueues()).extracting(QueueDefinition::name)
			.containsExactly("q.parking-lot", "q.dlq", "q");
		assertThat(topology.route(SECOND).exchange()).isEqualTo("rabbit-retry.delay.v1");
		TopologyParts both = TopologyParts.of(List.of(topology, other));
		assertThat(both.queues()).hasSize(3 + 4 + 23);
		assertThat(both.exchanges()).hasSize(2 + 2 + 24);
	}

	@ParameterizedTest
	@CsvSource({ "PT10S, q.retry.10s, PT10S", "PT9.9S, q.retry.10s, PT10S", "PT9.7S, , PT9.75S",
			"PT10.001S, , PT10.25S", "PT0.5S, , PT0.5S", "PT1M, q.retry.1m, PT1M", "PT3H, , PT3H", "PT300H, , PT240H" })
	void waitsOnTheLevelOfThatLengthElseOnTheLadder(Duration asked, String retryQueue, Duration waited) {
		DelayRoute route = MessageTopology.of("q")
			.delays(List.of(SECOND.multipliedBy(10), SECOND.multipliedBy(60)))
			.build()
			.route(asked);
		assertThat(route.delay()).isEqualTo(waited);
		assertThat(route.exchange()).isEqualTo((retryQueue != null) ? "q.retry" : "rabbit-retry.delay.v1");
		assertThat(route.routingKey()).endsWith((retryQueue != null) ? retryQueue : ".q");
	}

	@ParameterizedTest
	@CsvSource({ "PT10S, q.retry.10s, PT10S", "PT10.75S, 0.1.1.q.retry.10s, PT10.75S",
			"PT10.6S, 0.1.1.q.retry.10s, PT10.75S", "PT11.75S, 1.1.1.q, PT11.75S", "PT9S, 1.0.0.q, PT9S",
			"PT1M, q.retry.1m, PT1M", "PT62S, 0.0.0.q.retry.1m, PT62S", "PT299H, 0.0.0.q, PT240H" })
	void waitsForWhatWasDrawnBeforeTheLevel(Duration asked, String key, Duration waited) {
		DelayRoute route = MessageTopology.of("q")
			.delays(List.of(SECOND.multipliedBy(10), SECOND.multipliedBy(60)))
			.jittered(true)
			.build()
			.route(asked);
		assertThat(route.delay()).isEqualTo(waited);
		assertThat(route.routingKey()).endsWith(key);
	}

	@Test
	void leadsFromTheLadderIntoEachLevelIfThereIsJitter() {
		MessageTopology topology = MessageTopology.of("q").delays(List.of(SECOND)).jittered(true).build();
		assertThat(topology.bindings()).contains(DelayLadder.exit("q", "q"),
				DelayLadder.exit("q.retry.1s", "q.retry.1s"));
		assertThat(MessageTopology.of("q").delays(List.of(SECOND)).build().bindings())
			.doesNotContain(DelayLadder.exit("q.retry.1s", "q.retry.1s"));
	}

	@Test
	void bindsTheQueuesNameWhereNoKeyIsGiven() {
		MessageTopology topology = MessageTopology.of("q").boundTo("orders", List.of()).build();
		assertThat(topology.bindings()).contains(BindingDefinition.toQueue("orders", "q", "q"));
	}

	@ParameterizedTest
	@MethodSource
	void refusesWhatCannotWork(MessageTopologyBuilder builder, String setting, String relation) {
		assertThatExceptionOfType(InvalidConfigurationException.class).isThrownBy(builder::build).satisfies((ex) -> {
			assertThat(ex.property()).isEqualTo(setting);
			assertThat(ex.relation()).contains(relation);
			assertThat(ex.remedy()).isNotBlank();
		});
	}

	static Stream<Arguments> refusesWhatCannotWork() {
		return Stream.of(Arguments.of(MessageTopology.of(" "), "queue", "must not be blank"),
				Arguments.of(MessageTopology.of("ü".repeat(95)), "queue", "must be at most 200 bytes, not 202"),
				Arguments.of(MessageTopology.of("ü".repeat(75)), "queue", "must be at most 128 bytes, not 162"),
				Arguments.of(MessageTopology.of("amq.rabbit"), "queue", "must not start with 'amq.'"),
				Arguments.of(MessageTopology.of("q").deliveryLimit(0), "delivery-limit", "must be 1 or more"),
				Arguments.of(MessageTopology.of("q").delays(List.of(SECOND, SECOND)), "delay",
						"must not be given twice"),
				Arguments.of(MessageTopology.of("q").delays(List.of(Duration.ZERO)), "delay", "must be positive"),
				Arguments.of(MessageTopology.of("q").delays(List.of(Duration.ofNanos(1))), "delay",
						"must be whole milliseconds"),
				Arguments.of(MessageTopology.of("q").delays(List.of(Duration.ofDays(50))), "delay", "must be at most"),
				Arguments.of(MessageTopology.of("a.*").ring(RetryQueueScope.SHARED), "queue",
						"must not have '*' between its dots"),
				Arguments.of(MessageTopology.of("#").delays(List.of(SECOND)), "queue",
						"must not have '#' between its dots"),
				Arguments.of(MessageTopology.of("rabbit-retry.delay.v1.1s"), "queue",
						"must not start with 'rabbit-retry.delay.v1'"),
				Arguments.of(MessageTopology.of("q").boundTo("rabbit-retry.delay.v1", List.of()), "exchange",
						"must not start with 'rabbit-retry.delay.v1'"),
				Arguments.of(
						MessageTopology.of("q")
							.ring(RetryQueueScope.SHARED)
							.names(new TopologyNames("later", null, null, null, null, null)),
						"names.retry-prefix", "names nothing where the ring is shared"),
				Arguments.of(MessageTopology.of("q").boundTo(null, List.of("k")), "routing-keys", "needs an exchange"),
				Arguments.of(MessageTopology.of("q").boundTo("q.dlx", List.of("k")), "exchange", "two roles"),
				Arguments.of(MessageTopology.of("q").names(new TopologyNames(null, null, null, "q", null, null)),
						"queue", "two roles"));
	}

	private static QueueDefinition queue(MessageTopology topology, QueueRole role) {
		return topology.queues().stream().filter((queue) -> queue.role() == role).findFirst().orElseThrow();
	}

	@Test
	void queuesThatThePolicyNamesAreThoseOfFormerQueuesToo() {
		FormerQueue former = MessageTopology.of("orders.v2")
			.names(new TopologyNames(null, null, null, "dead.orders", null, null))
			.formerQueues(List.of("orders"))
			.build()
			.formerQueues()
			.get(0);
		assertThat(former.deadLetterQueue()).isEqualTo("dead.orders");
		assertThat(former.parkingLot()).isEqualTo("orders.parking-lot");
		assertThat(former.quarantine()).isEqualTo("orders.quarantine");
	}

}
