/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.plan;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.internal.topology.MessageTopologyBuilder;
import io.github.rabbitretry.internal.topology.QueueDefinition;
import io.github.rabbitretry.internal.topology.QueueType;
import io.github.rabbitretry.internal.topology.RetryQueueScope;
import io.github.rabbitretry.internal.topology.WorkQueueMode;
import io.github.rabbitretry.topology.DelayRoute;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Plans as they are printed, carried out word for word while messages are published, and
 * begun anew again and again as by people who were interrupted.
 */
class TopologyPlanIntegrationTests {

	private static final Map<String, Object> FOREIGN = Map.of("x-queue-type", "quorum");

	/** A shovel has to be faster. */
	private static final long PAUSE_NANOS = 50_000_000;

	private final Random random = new Random(24);

	private PlannedBroker broker;

	@BeforeEach
	void create() throws Exception {
		assumeTrue(Broker.shared().canControl());
		this.broker = new PlannedBroker();
	}

	@AfterEach
	void remove() throws Exception {
		if (this.broker != null) {
			this.broker.close();
		}
	}

	private static MessageTopologyBuilder orders(String queue, Duration... delays) {
		return MessageTopology.of(queue).boundTo("events", List.of("order.*")).delays(List.of(delays)).quarantine(true);
	}

	static Stream<Arguments> changes() {
		Duration delay = Duration.ofSeconds(2);
		MessageTopology full = orders("orders", delay).build();
		return Stream.of(pair("full to minimal", full, orders("orders", delay).minimalArguments(true).build()),
				pair("another delivery limit, without the ladder", withoutLadder("orders").build(),
						withoutLadder("orders").deliveryLimit(8).build()),
				pair("changed name, without the ladder", withoutLadder("orders").build(),
						withoutLadder("orders.v2").build()),
				pair("classic to quorum", orders("orders", delay).queueType(QueueType.CLASSIC).build(), full),
				pair("changed name", full, orders("orders.v2", delay).build()),
				pair("per type to shared", full, orders("orders").ring(RetryQueueScope.SHARED).build()),
				pair("shared to per type", orders("orders").ring(RetryQueueScope.SHARED).build(), full),
				pair("another schedule", orders("orders", delay).jittered(true).build(),
						orders("orders", Duration.ofSeconds(3)).jittered(true).build()));
	}

	private static MessageTopologyBuilder withoutLadder(String queue) {
		return orders(queue, Duration.ofSeconds(2)).longestDelay(Duration.ofMinutes(10));
	}

	private static Arguments pair(String name, MessageTopology before, MessageTopology after) {
		return Arguments.of(Named.of(name, before), after);
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("changes")
	void losesNothingUnderLoadHoweverOftenItIsBegunAnew(MessageTopology before, MessageTopology after)
			throws Exception {
		this.broker.declare(before);
		fill(before);
		AtomicBoolean ended = new AtomicBoolean();
		ExecutorService producer = Executors.newSingleThreadExecutor();
		try {
			Future<?> load = producer.submit(() -> {
				for (int number = 0; !ended.get(); number++) {
					this.broker.send("events", "order.new", "load-" + number);
					LockSupport.parkNanos(PAUSE_NANOS);
				}
				return null;
			});
			for (int round = 0; round < 3; round++) {
				List<String> commands = PlannedBroker.commands(this.broker.plan(after, before));
				int killedAfter = commands.isEmpty() ? 0 : this.random.nextInt(commands.size());
				commands.subList(0, killedAfter).forEach(this.broker::run);
			}
			PlannedBroker.commands(this.broker.plan(after, before)).forEach(this.broker::run);
			ended.set(true);
			load.get();
		}
		finally {
			ended.set(true);
			producer.shutdown();
		}
		assertThat(PlannedBroker.commands(this.broker.plan(after, before))).isEmpty();
		for (QueueDefinition queue : before.ownQueues()) {
			assertThat(this.broker.hasQueue(queue.name())).as(queue.name())
				.isEqualTo(after.ownQueues().stream().anyMatch((model) -> model.name().equals(queue.name())));
		}
		Set<String> found = new TreeSet<>();
		Awaitility.await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
			for (String queue : List.of(after.queue(), after.deadLetterQueue(), after.parkingLot(),
					after.quarantine())) {
				found.addAll(this.broker.drain(queue));
			}
			assertThat(found).containsAll(this.broker.sent());
		});
	}

	private void fill(MessageTopology topology) throws Exception {
		for (int number = 0; number < 30; number++) {
			this.broker.send("events", "order.new", "work-" + number);
			this.broker.send(topology.deadLetterExchange(), topology.parkingLot(), "parked-" + number);
			this.broker.send(topology.deadLetterExchange(), topology.deadLetterQueue(), "dead-" + number);
			if (!topology.levels().isEmpty()) {
				this.broker.send(topology.ringExchange(), topology.retryQueue(topology.levels().get(0)),
						"retry-" + number);
			}
			DelayRoute route = topology.route(Duration.ofMillis(2250));
			this.broker.send(route.exchange(), route.routingKey(), "ladder-" + number);
		}
	}

	@Test
	void retryQueuesOfAnotherLiveConfigurationStay() throws Exception {
		MessageTopology one = withoutLadder("orders").build();
		MessageTopology other = orders("orders", Duration.ofSeconds(10)).longestDelay(Duration.ofMinutes(10)).build();
		this.broker.declare(one);
		this.broker.declare(other);
		assertThat(PlannedBroker.commands(this.broker.plan(one, null))).isEmpty();
		assertThat(PlannedBroker.commands(this.broker.plan(other, null))).isEmpty();
	}

	@Test
	void aRetryQueueOfAPartnersOwnStays() throws Exception {
		this.broker.channel().queueDeclare("orders", true, false, false, FOREIGN);
		this.broker.channel().exchangeDeclare("orders.retry", "direct", true);
		this.broker.channel().queueBind("orders", "orders.retry", "orders");
		this.broker.channel()
			.queueDeclare("orders.retry.5m", true, false, false, Map.of("x-queue-type", "quorum", "x-message-ttl",
					300_000, "x-dead-letter-exchange", "orders.retry", "x-dead-letter-routing-key", "orders"));
		MessageTopology wanted = MessageTopology.of("orders")
			.workQueue(WorkQueueMode.EXISTING)
			.delays(List.of(Duration.ofSeconds(2)))
			.build();
		assertThat(PlannedBroker.commands(this.broker.plan(wanted, null))).noneMatch((one) -> one.contains("5m"));
	}

	@Test
	void exchangesOfProducersStay() throws Exception {
		MessageTopology topology = orders("orders", Duration.ofSeconds(2)).build();
		this.broker.declare(topology);
		for (String exchange : List.of("orders.delay", "orders.delay.delivery")) {
			this.broker.channel().exchangeDeclare(exchange, "topic", true);
			this.broker.channel().queueBind("orders", exchange, "order.late");
		}
		assertThat(PlannedBroker.commands(this.broker.plan(topology, null))).isEmpty();
		execute(orders("orders", Duration.ofSeconds(3)).build(), topology);
		this.broker.send("orders.delay", "order.late", "1");
		this.broker.send("orders.delay.delivery", "order.late", "2");
		assertThat(this.broker.sent()).containsExactly("1", "2");
	}

	@Test
	void exchangesOfProducersWithNamesOfOursStay() throws Exception {
		this.broker.channel().queueDeclare("orders", true, false, false, Map.of());
		for (String exchange : List.of("orders.retry", "orders.dlx")) {
			this.broker.channel().exchangeDeclare(exchange, "direct", true);
		}
		this.broker.channel().queueBind("orders", "orders.retry", "again");
		MessageTopology existing = MessageTopology.of("orders")
			.workQueue(WorkQueueMode.EXISTING)
			.ring(RetryQueueScope.SHARED)
			.build();
		execute(existing, MessageTopology.of("orders").delays(List.of(Duration.ofSeconds(2))).build());
		this.broker.send("orders.retry", "again", "1");
		assertThat(this.broker.sent()).containsExactly("1");
		this.broker.channel().exchangeDeclarePassive("orders.dlx");
		assertThat(this.broker.drain("orders")).containsExactly("1");
	}

	@Test
	void queuesWithoutArgumentsThatHaveNamesOfOursStay() throws Exception {
		MessageTopology former = orders("orders", Duration.ofMinutes(5)).minimalArguments(true).build();
		List<String> foreign = List.of("orders.dlq", "orders.quarantine", "orders.retry.5m");
		for (String queue : foreign) {
			this.broker.channel().queueDeclare(queue, true, false, false, FOREIGN);
			this.broker.send("", queue, queue);
		}
		this.broker.channel()
			.queueDeclare("source", true, false, false, Map.of("x-queue-type", "quorum", "x-message-ttl", 1,
					"x-dead-letter-exchange", "", "x-dead-letter-routing-key", "orders.dlq"));
		for (MessageTopology wanted : List.of(orders("orders.v2").minimalArguments(true).build(),
				MessageTopology.of("orders").build())) {
			execute(wanted, former);
		}
		for (String queue : foreign) {
			assertThat(this.broker.drain(queue)).containsExactly(queue);
		}
	}

	@Test
	void aPartnersWorkQueueStays() throws Exception {
		this.broker.channel().queueDeclare("partner", true, false, false, FOREIGN);
		this.broker.send("", "partner", "1");
		MessageTopology former = MessageTopology.of("partner")
			.workQueue(WorkQueueMode.EXISTING)
			.minimalArguments(true)
			.build();
		execute(orders("orders").build(), former);
		execute(MessageTopology.of("partner").build(), former);
		assertThat(this.broker.drain("partner")).containsExactly("1");
	}

	/** As somebody does who pastes all of it into a shell. */
	@Test
	void aPlanThatIsCarriedOnAfterFailuresKeepsTheMessages() throws Exception {
		MessageTopology former = withoutLadder("orders").build();
		MessageTopology wanted = withoutLadder("orders").deliveryLimit(8).build();
		this.broker.declare(former);
		this.broker.limitQueues(former.ownQueues().size());
		this.broker.send("events", "order.new", "before");
		List<String> commands = PlannedBroker.commands(this.broker.plan(wanted, former));
		List<Boolean> outcomes = new ArrayList<>();
		for (String command : commands) {
			outcomes.add(this.broker.succeeds(command));
		}
		assertThat(outcomes).contains(false);
		this.broker.send("events", "order.new", "after");
		assertThat(this.broker.drain("orders")).containsExactly("after", "before");
	}

	@Test
	void exchangesThatMessagesWouldBeMovedThroughStay() throws Exception {
		MessageTopology former = withoutLadder("orders").build();
		this.broker.declare(former);
		this.broker.channel().exchangeDeclare("orders.v2.moved", "topic", true);
		this.broker.send("", "orders", "1");
		execute(withoutLadder("orders.v2").build(), former);
		this.broker.channel().exchangeDeclarePassive("orders.v2.moved");
		assertThat(this.broker.drain("orders")).containsExactly("1");
	}

	/** What could not be deleted is in the next plan again. */
	@Test
	void aDeletionThatFailsIsPlannedAgainAndKeepsTheMessages() throws Exception {
		MessageTopology former = orders("orders").build();
		MessageTopology wanted = orders("orders.v2").build();
		this.broker.declare(former);
		// the management API shows what was just declared a little later
		List<String> commands = Awaitility.await()
			.until(() -> PlannedBroker.commands(this.broker.plan(wanted, former)),
					(planned) -> planned.contains(PlanCommands.WAIT));
		commands.subList(0, commands.indexOf(PlanCommands.WAIT)).forEach(this.broker::run);
		this.broker.run(PlanCommands.WAIT);
		this.broker.send("", "orders", "late");
		String delete = commands.stream()
			.filter((command) -> command.contains("DELETE") && command.contains("/queues/planned/orders'"))
			.findFirst()
			.orElseThrow();
		assertThat(this.broker.succeeds(delete)).isFalse();
		execute(wanted, former);
		assertThat(this.broker.hasQueue("orders")).isFalse();
		assertThat(this.broker.drain("orders.v2")).containsExactly("late");
	}

	private void execute(MessageTopology wanted, @Nullable MessageTopology former) {
		PlannedBroker.commands(this.broker.plan(wanted, former)).forEach(this.broker::run);
	}

}
