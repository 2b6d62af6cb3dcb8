/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.migration;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.rabbitretry.internal.topology.DelayLadder;
import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.internal.topology.MessageTopologyBuilder;
import io.github.rabbitretry.internal.topology.QueueType;
import io.github.rabbitretry.internal.topology.RetryQueueScope;
import io.github.rabbitretry.internal.topology.TopologyNames;
import io.github.rabbitretry.internal.topology.TopologyParts;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.amqp.core.Binding.DestinationType;

import static org.assertj.core.api.Assertions.assertThat;

class MigrationPlannerTests {

	private static final String Q = "order";

	private static final Set<String> NONE = Set.of();

	private static MessageTopologyBuilder order(int... seconds) {
		return MessageTopology.of(Q)
			.boundTo("orders", List.of("created"))
			.delays(Arrays.stream(seconds).mapToObj(Duration::ofSeconds).toList());
	}

	private static MigrationPlan plan(SimulatedBroker broker, MessageTopology wanted) {
		return plan(broker, new MigratedType(wanted, null));
	}

	private static MigrationPlan plan(SimulatedBroker broker, MigratedType type) {
		return new MigrationPlanner(List.of(type), broker.live(), NONE).plan();
	}

	private static List<String> lines(MigrationPlan plan) {
		return plan.steps()
			.stream()
			.map((one) -> (one.paused() ? "PAUSE " : "") + one.step().action() + " " + one.step().subject())
			.toList();
	}

	private static TopologyNames names(String parkingLot, String deadLetterExchange) {
		return new TopologyNames(null, null, deadLetterExchange, null, parkingLot, null);
	}

	@Test
	void nothingIsToBeDoneWhereAllIsAsConfigured() {
		MigrationPlan plan = plan(SimulatedBroker.with(order(1, 5).build()), order(1, 5).build());
		assertThat(plan.steps()).isEmpty();
		assertThat(plan.leftAlone()).isEmpty();
	}

	@Test
	void anEmptyBrokerGetsEverything() {
		SimulatedBroker broker = new SimulatedBroker();
		MigrationPlan plan = plan(broker, order(1, 5).build());
		broker.run(plan.steps());
		assertThat(broker.live()).isEqualTo(SimulatedBroker.with(order(1, 5).build()).live());
		assertThat(plan.pauses()).isFalse();
	}

	@Test
	void aDelayThatIsGoneIsDrainedAndDeletedWithoutAPause() {
		assertThat(lines(plan(SimulatedBroker.with(order(1, 5).build()), order(5, 7).build()))).containsExactly(
				"create queue order.retry.7s", "bind order.retry.7s", "unbind order.retry.1s",
				"wait until empty order.retry.1s", "delete queue order.retry.1s");
	}

	@Test
	void nothingIsAppliedWhileAQueueOfOursIsOnANodeThatIsDown() {
		SimulatedBroker broker = SimulatedBroker.with(order(1, 5).build()).unavailable("order.retry.1s");
		MigrationPlan plan = plan(broker, order(5, 7).build());
		assertThat(plan.obstacles()).singleElement()
			.asString()
			.contains("'order.retry.1s' does not answer", "the node that it is on may be down");
		assertThat(plan.leftAlone()).extracting(MigrationPlan.LeftAlone::what)
			.containsExactly("queue 'order.retry.1s'");
		assertThat(plan(broker, order(1, 5).build()).obstacles()).as("nothing to do").isEmpty();
	}

	@Test
	void nothingIsAppliedWhileAQueueThatDeadLettersToOursIsDown() {
		SimulatedBroker broker = SimulatedBroker.with(order(1).build())
			.queue("others", Map.of("x-dead-letter-exchange", "order.dlx"))
			.queue("strangers", Map.of("x-dead-letter-exchange", "amq.topic"))
			.unavailable("strangers");
		assertThat(plan(broker, order(5).build()).obstacles()).isEmpty();
		assertThat(plan(broker.unavailable("others"), order(5).build()).obstacles()).singleElement()
			.asString()
			.contains("'others'");
	}

	@Test
	void aRetryQueueOfOtherArgumentsGetsATemporaryQueueAtItsPlace() {
		SimulatedBroker broker = SimulatedBroker.with(order(1).build());
		Map<String, Object> classic = order(1).queueType(QueueType.CLASSIC)
			.build()
			.ownQueues()
			.stream()
			.filter((queue) -> queue.name().equals("order.retry.1s"))
			.findFirst()
			.orElseThrow()
			.arguments();
		broker.queue("order.retry.1s", classic);
		assertThat(lines(plan(broker, order(1).build()))).containsExactly("create queue order.retry.1s.migrating",
				"unbind order.retry.1s", "bind order.retry.1s.migrating", "wait until empty order.retry.1s",
				"delete queue order.retry.1s", "create queue order.retry.1s", "unbind order.retry.1s.migrating",
				"bind order.retry.1s", "wait until empty order.retry.1s.migrating",
				"delete queue order.retry.1s.migrating");
	}

	@Test
	void aWorkQueueIsReplacedWhileItsProducersGoOn() {
		SimulatedBroker broker = SimulatedBroker.with(order().build());
		MigrationPlan plan = plan(broker, order().deliveryLimit(9).build());
		assertThat(lines(plan)).filteredOn((line) -> !line.contains("dlq"))
			.containsExactly("PAUSE create queue order.migrating", "PAUSE move messages order",
					"PAUSE bind order.migrating", "PAUSE unbind order", "PAUSE bind order.migrating",
					"PAUSE unbind order", "PAUSE move messages order", "PAUSE delete queue order",
					"PAUSE create queue order", "PAUSE move messages order.migrating", "PAUSE bind order",
					"PAUSE unbind order.migrating", "PAUSE bind order", "PAUSE unbind order.migrating",
					"PAUSE move messages order.migrating", "delete queue order.migrating");
		assertThat(plan.pausedQueues()).containsExactlyInAnyOrder("order", "order.dlq");
	}

	@Test
	void bindingsThatProducersMadeAreKept() {
		Route producers = new Route("events", "", Map.of("x-match", "any"), DestinationType.QUEUE, Q);
		SimulatedBroker broker = SimulatedBroker.with(order().build())
			.exchange("events", "headers", Map.of())
			.route(producers);
		broker.run(plan(broker, order().deliveryLimit(9).build()).steps());
		assertThat(broker.routes()).contains(producers);
	}

	/** What led past the level would double each message. */
	@Test
	void aDelayThatComesBackIsTheOnlyWayOfItsMessages() {
		SimulatedBroker broker = SimulatedBroker.with(order(1, 60).jittered(true).build());
		broker.run(plan(broker, order(1, 120).jittered(true).build()).steps());
		broker.run(plan(broker, order(1, 60).jittered(true).build()).steps());
		Map<String, Long> destinations = broker.routes()
			.stream()
			.filter((route) -> route.exchange().equals(DelayLadder.EXIT))
			.collect(Collectors.groupingBy(Route::key, Collectors.counting()));
		assertThat(destinations.values()).isNotEmpty().containsOnly(1L);
	}

	/** Dead letters that expire meanwhile find a queue: classic ones are dropped else. */
	@Test
	void aNewDeadLetterExchangeLeadsToAQueueBeforeMessagesAreMoved() {
		SimulatedBroker broker = SimulatedBroker.with(order().queueType(QueueType.CLASSIC).build());
		MessageTopology wanted = order().queueType(QueueType.CLASSIC).names(names("order.parking-lot", "dead")).build();
		List<String> lines = lines(plan(broker, wanted));
		assertThat(lines.indexOf("PAUSE bind order.dlq.migrating")).isNotNegative()
			.isLessThan(lines.indexOf("PAUSE move messages order"));
	}

	@Test
	void theFirstVersionsLadderGoesWithoutAPauseOfConsumers() {
		SimulatedBroker broker = Pair.withFirstVersion();
		MigrationPlan plan = plan(broker, order(1).build());
		assertThat(lines(plan)).contains("delete queue order.delay.250ms", "delete exchange order.delay.delivery",
				"delete exchange order.delay", "move messages order.undeliverable", "delete queue order.undeliverable");
		assertThat(plan.pauses()).isFalse();
		broker.run(plan.steps());
		assertThat(broker.queues()).noneMatch((name) -> name.startsWith("order.delay"));
		assertThat(broker.exchanges()).noneMatch((name) -> name.startsWith("order.delay"));
	}

	@Nested
	class LeavesAlone {

		private void isLeftAlone(SimulatedBroker broker, MessageTopology wanted, String what, String why) {
			MigrationPlan plan = plan(broker, wanted);
			assertThat(plan.leftAlone()).anySatisfy((one) -> {
				assertThat(one.what()).contains(what);
				assertThat(one.why()).contains(why);
			});
			assertThat(plan.steps()).extracting(MigrationPlan.PlannedStep::step)
				.noneMatch((step) -> (step instanceof MigrationStep.DeleteQueue
						|| step instanceof MigrationStep.DeleteExchange) && what.contains("'" + step.subject() + "'"));
		}

		@Test
		void aQueueWithANameOfOursAndOtherArguments() {
			isLeftAlone(
					SimulatedBroker.with(order(1).build())
						.queue("order.retry.9s", Map.of("x-queue-type", "classic", "x-message-ttl", 9000)),
					order(1).build(), "queue 'order.retry.9s'", "x-dead-letter-exchange");
		}

		@Test
		void aWorkQueueThatSomebodyElseDeclared() {
			SimulatedBroker broker = SimulatedBroker.with(order(1).build()).queue(Q, Map.of("x-max-length", 10));
			isLeftAlone(broker, order(1).build(), "queue 'order'", "--replace order");
			List<String> replaced = lines(
					new MigrationPlanner(List.of(new MigratedType(order(1).build(), null)), broker.live(), Set.of(Q))
						.plan());
			assertThat(replaced).contains("PAUSE delete queue order", "PAUSE create queue order");
		}

		@Test
		void aStreamWhateverIsToBeReplaced() {
			SimulatedBroker broker = SimulatedBroker.with(order(1).build()).queue(Q, Map.of("x-queue-type", "stream"));
			MigrationPlan plan = new MigrationPlanner(List.of(new MigratedType(order(1).build(), null)), broker.live(),
					Set.of(Q))
				.plan();
			assertThat(plan.leftAlone()).anySatisfy((one) -> assertThat(one.why()).contains("stream"));
			assertThat(plan.steps()).isEmpty();
		}

		static Stream<SimulatedBroker> queuesThatTheBrokerDeletes() {
			return Stream.of(SimulatedBroker.with(order(1).build()).shortLived(Q),
					SimulatedBroker.with(order(1).build()).queue(Q, Map.of("x-expires", 60_000)));
		}

		/** The last consumer's end is the queue's, with all messages not yet moved. */
		@ParameterizedTest
		@MethodSource("queuesThatTheBrokerDeletes")
		void aQueueThatTheBrokerDeletesWhateverIsToBeReplaced(SimulatedBroker broker) {
			MigrationPlan plan = new MigrationPlanner(List.of(new MigratedType(order(1).build(), null)), broker.live(),
					Set.of(Q))
				.plan();
			assertThat(plan.leftAlone()).singleElement()
				.satisfies((one) -> assertThat(one.why()).contains("auto-delete", "delete it, and apply again"));
			assertThat(plan.steps()).isEmpty();
		}

		/** A fanout would lead each dead letter into all of our queues. */
		@Test
		void anExchangeOfAnotherTypeWithoutBindingAnythingToIt() {
			SimulatedBroker broker = new SimulatedBroker().exchange("order.dlx", "fanout", Map.of());
			isLeftAlone(broker, order(1).build(), "exchange 'order.dlx'", "Nothing is bound to it");
			assertThat(plan(broker, order(1).build()).steps()).extracting(MigrationPlan.PlannedStep::step)
				.filteredOn(MigrationStep.Bind.class::isInstance)
				.isNotEmpty()
				.noneMatch((step) -> ((MigrationStep.Bind) step).route().exchange().equals("order.dlx"));
			assertThat(plan(broker, order(1).build()).obstacles()).singleElement()
				.asString()
				.contains("Nothing is applied", "'order.dlx'", "fanout");
			isLeftAlone(broker, order(1).build(), "exchange 'order.dlx'", "Nothing is applied");
		}

		@Test
		void queuesOfOtherNamesSilently() {
			SimulatedBroker broker = SimulatedBroker.with(order(1).build(), MessageTopology.of("other").build())
				.queue("order.audit", Map.of())
				.queue("order.retry", Map.of())
				.queue("order.retry.migrating", Map.of())
				.queue("order.retry.soon", Map.of())
				.queue("order.retry.60s", Map.of());
			assertThat(plan(broker, order(1).build()).steps()).isEmpty();
		}

		@Test
		void aTemporaryNameThatSomebodyElseHas() {
			isLeftAlone(SimulatedBroker.with(order().build()).queue("order.migrating", Map.of()),
					order().deliveryLimit(9).build(), "queue 'order.migrating'", "temporary");
		}

		/** Dead-lettering is no binding, so that nothing else tells. */
		@Test
		void anExchangeThatAPolicyNames() {
			isLeftAlone(SimulatedBroker.with(order(1).build()).policyNames("order.dlx"),
					order(1).names(names("order.parking-lot", "dead")).build(), "exchange 'order.dlx'",
					"a policy dead-letters to it");
		}

		@Test
		void aParkingLotThatOthersLeadTo() {
			SimulatedBroker broker = SimulatedBroker.with(order(1).build())
				.exchange("theirs", "direct", Map.of())
				.route(Route.toQueue("theirs", "lot", "order.parking-lot"));
			isLeftAlone(broker, order(1).names(names("lot", "order.dlx")).build(), "queue 'order.parking-lot'",
					"exchange 'theirs' leads to it");
		}

		@ParameterizedTest
		@ValueSource(strings = { "lot", "order.dlq", "order.quarantine" })
		void whatAnotherServiceSharesByItsNames(String shared) {
			MessageTopologyBuilder former = order().quarantine(true);
			TopologyNames theirs = new TopologyNames(null, null, "shop.dlx", null, "lot", null);
			SimulatedBroker broker = SimulatedBroker.with(former.names(theirs).build(),
					MessageTopology.of("other").names(theirs).build());
			TopologyNames own = new TopologyNames(null, null, "shop.dlx", "own.dlq", "own.lot", "own.quarantine");
			MigrationPlan plan = plan(broker,
					new MigratedType(order().quarantine(true).names(own).build(), former.names(theirs).build()));
			assertThat(plan.leftAlone()).anySatisfy((one) -> {
				assertThat(one.what()).isEqualTo("queue '%s'".formatted(shared));
				assertThat(one.why()).contains("another may share it: exchange '").contains("other");
			});
			assertThat(plan.steps()).extracting((step) -> step.step().subject()).doesNotContain(shared);
		}

		static Stream<Map<String, Object>> argumentsThatTheManagementApiBlurs() {
			Map<String, Object> none = new TreeMap<>();
			none.put("tenant", null);
			return Stream.of(none, Map.of("tenant", "undefined"), Map.of("tenant", List.of("a", 7)),
					Map.of("tenant", Map.of("id", 7)), Map.of("tenant", List.of(none)));
		}

		@ParameterizedTest
		@MethodSource("argumentsThatTheManagementApiBlurs")
		void aQueueWithABindingOfWhichTheArgumentsAreBlurred(Map<String, Object> arguments) {
			SimulatedBroker broker = SimulatedBroker.with(order().build())
				.exchange("events", "headers", Map.of())
				.route(LiveTopologyReader.route(Map.of("source", "events", "destination", Q, "destination_type",
						"queue", "routing_key", "", "arguments", arguments)));
			isLeftAlone(broker, order().deliveryLimit(9).build(), "queue 'order'",
					"a number or void among its arguments");
		}

		@Test
		void aQueueWithABindingThatCannotBeMoved() {
			SimulatedBroker broker = SimulatedBroker.with(order().build())
				.exchange("events", "headers", Map.of())
				.route(new Route("events", "", Map.of("version", 2), DestinationType.QUEUE, Q));
			isLeftAlone(broker, order().deliveryLimit(9).build(), "queue 'order'",
					"a number or void among its arguments");
		}

		@Test
		void aQueueWithABindingThatCannotBeRead() {
			SimulatedBroker broker = SimulatedBroker.with(order(1, 9).quarantine(true).build())
				.unreadable("amq.topic", Q)
				.unreadable("amq.topic", "order.quarantine")
				.unreadable("amq.topic", "order.retry.9s");
			MessageTopology wanted = order(1).deliveryLimit(9).build();
			for (String queue : List.of(Q, "order.quarantine", "order.retry.9s")) {
				isLeftAlone(broker, wanted, "queue '%s'".formatted(queue),
						"bindings of queue '%s' to exchange 'amq.topic': HTTP status 500".formatted(queue));
			}
			assertThat(lines(plan(broker, order(1, 9, 30).quarantine(true).build())))
				.contains("create queue order.retry.30s");
		}

		@Test
		void aTemporaryQueueWithABindingThatCannotBeRead() {
			SimulatedBroker broker = SimulatedBroker.with(order().build());
			broker.queue("order.migrating", broker.queue(Q).arguments()).unreadable("amq.topic", "order.migrating");
			isLeftAlone(broker, order().build(), "queue 'order.migrating'", "HTTP status 500");
		}

		@Test
		void anExchangeWithABindingThatCannotBeRead() {
			SimulatedBroker broker = SimulatedBroker.with(order(1).build())
				.queue("theirs", Map.of())
				.unreadable("order.dlx", "theirs");
			MessageTopology wanted = order(1).names(names("order.parking-lot", "dead")).build();
			isLeftAlone(broker, wanted, "exchange 'order.dlx'", "HTTP status 500");
			isLeftAlone(broker, order(1).names(names("lot", "order.dlx")).build(), "queue 'order.parking-lot'",
					"another may share it");
		}

		@Test
		void anExchangeOfAnotherType() {
			isLeftAlone(SimulatedBroker.with(order(1).build()).exchange("orders", "fanout", Map.of()), order(1).build(),
					"exchange 'orders'", "fanout");
		}

		@Test
		void aLeftoverExchangeThatStrangersUse() {
			MessageTopology wanted = order().names(names(null, "dead")).build();
			SimulatedBroker broker = SimulatedBroker.with(order().build())
				.queue("theirs", Map.of("x-dead-letter-exchange", "order.dlx"));
			isLeftAlone(broker, wanted, "exchange 'order.dlx'", "queue 'theirs' dead-letters to it");
		}

		@Test
		void theFirstVersionsSharedLadderWhereOthersUseIt() {
			SimulatedBroker broker = SimulatedBroker.with(order(1).build());
			Pair.ladder(broker, new EarlierLadder(EarlierLadder.SHARED));
			broker.queue("theirs", Map.of())
				.route(Route.toQueue("rabbit-retry.delay.delivery", "*.".repeat(22) + "theirs", "theirs"));
			isLeftAlone(broker, order(1).build(), "queue 'rabbit-retry.delay.250ms'", "theirs");
			assertThat(plan(broker, order(1).build()).steps()).isEmpty();
		}

		@Test
		void queuesWithoutArgumentsUnlessTheFormerConfigurationSaysThatTheyAreOurs() {
			isLeftAlone(SimulatedBroker.with(order(1).minimalArguments(true).build()), order(1).build(),
					"queue 'order'", "If topology.arguments was minimal, give that configuration with --from");
		}

		@Test
		void aRetryQueueThatLeadsNowhere() {
			SimulatedBroker broker = SimulatedBroker.with(order(1, 5).build());
			broker.exchanges().remove("order.retry");
			broker.queue("order.retry.5s",
					Map.of("x-queue-type", "quorum", "x-overflow", "reject-publish", "x-dead-letter-exchange", "",
							"x-dead-letter-routing-key", Q, "x-dead-letter-strategy", "at-least-once", "x-message-ttl",
							5000L));
			assertThat(lines(plan(broker, order(1).build()))).contains("delete queue order.retry.5s");
		}

	}

	static Stream<Pair> pairs() {
		return Pair.all();
	}

	@ParameterizedTest
	@MethodSource("pairs")
	void leadsToTheConfiguredTopologyAndLeavesNothing(Pair pair) {
		SimulatedBroker broker = pair.before();
		MigrationPlan plan = plan(broker, pair.type());
		assertThat(plan.leftAlone()).isEmpty();
		broker.run(plan.steps());
		pair.isAfter(broker);
		assertThat(plan(broker, pair.type()).steps()).isEmpty();
	}

	@ParameterizedTest
	@MethodSource("pairs")
	void leadsThereAlsoIfItIsKilledAfterAnyStep(Pair pair) {
		int steps = plan(pair.before(), pair.type()).steps().size();
		for (int killed = 0; killed < steps; killed++) {
			SimulatedBroker broker = pair.before();
			broker.run(plan(broker, pair.type()).steps().subList(0, killed));
			MigrationPlan rest = plan(broker, pair.type());
			assertThat(rest.leftAlone()).as("after %d steps", killed).isEmpty();
			broker.run(rest.steps());
			pair.isAfter(broker);
			assertThat(plan(broker, pair.type()).steps()).as("after %d steps", killed).isEmpty();
		}
	}

	@ParameterizedTest
	@MethodSource("pairs")
	void producersAndDeadLettersFindAQueueAtEachMoment(Pair pair) {
		SimulatedBroker broker = pair.before();
		Map<String, Set<String>> keys = new TreeMap<>();
		for (Route route : broker.routes()) {
			// retries are published again until they find a queue
			if (route.leadsToQueue() && !route.exchange().contains("delay")
					&& !broker.queue(route.destination()).arguments().containsKey("x-message-ttl")
					&& !route.destination().startsWith("order.retry.")) {
				keys.computeIfAbsent(route.exchange(), (name) -> new TreeSet<>()).add(route.key());
			}
		}
		for (MigrationPlan.PlannedStep step : plan(broker, pair.type()).steps()) {
			broker.run(List.of(step));
			keys.forEach((exchange, some) -> {
				if (broker.exchanges().contains(exchange) && !(step.step() instanceof MigrationStep.DeleteExchange)) {
					some.removeIf((key) -> gone(broker, exchange, key, pair));
					some.forEach((key) -> assertThat(broker.routes()).as("%s after %s", key, step.step())
						.anyMatch((route) -> route.exchange().equals(exchange) && route.key().equals(key)));
				}
			});
		}
	}

	@ParameterizedTest
	@MethodSource("pairs")
	void producersFindTwoQueuesOnlyBetweenTwoStepsThatFollowEachOther(Pair pair) {
		SimulatedBroker broker = pair.before();
		boolean twice = false;
		for (MigrationPlan.PlannedStep step : plan(broker, pair.type()).steps()) {
			broker.run(List.of(step));
			boolean now = broker.routes().stream().filter((route) -> route.exchange().equals("orders")).count() > 1;
			assertThat(now && twice).as("%s", step).isFalse();
			twice = now;
		}
	}

	/** No queue is there that publishes with that key, and the configuration has none. */
	private static boolean gone(SimulatedBroker broker, String exchange, String key, Pair pair) {
		boolean wanted = TopologyParts.of(List.of(pair.wanted()))
			.bindings()
			.stream()
			.anyMatch((binding) -> binding.exchange().equals(exchange) && binding.routingKey().equals(key));
		boolean used = broker.live()
			.queues()
			.values()
			.stream()
			.anyMatch((queue) -> exchange.equals(queue.arguments().get("x-dead-letter-exchange")));
		return !wanted && (!used || !broker.queues().contains(key));
	}

	/**
	 * Two configurations.
	 */
	record Pair(String name, MessageTopology former, MessageTopology wanted, boolean firstVersion) {

		static Stream<Pair> all() {
			List<Pair> pairs = new ArrayList<>();
			Map<String, MessageTopologyBuilder> variants = new LinkedHashMap<>();
			variants.put("two delays", order(1, 5));
			variants.put("other delays", order(5, 7));
			variants.put("shared", order().ring(RetryQueueScope.SHARED));
			variants.put("jittered", order(1, 5).jittered(true));
			variants.put("classic", order(1, 5).queueType(QueueType.CLASSIC));
			variants.put("other limit, quarantine", order(1).deliveryLimit(9).quarantine(true));
			variants.put("minimal", order(1, 5).minimalArguments(true));
			variants.put("ordered", order(1).singleActiveConsumer(true));
			variants.put("other names",
					order(1, 5).names(new TopologyNames("wait", "ring", "dead", "dead.q", "lot", "q")));
			variants.put("other queue",
					MessageTopology.of("order.v2")
						.boundTo("orders", List.of("created"))
						.delays(List.of(Duration.ofSeconds(1)))
						.quarantine(true));
			variants.put("other queue, classic",
					MessageTopology.of("order.v3")
						.queueType(QueueType.CLASSIC)
						.boundTo("orders", List.of("created"))
						.ring(RetryQueueScope.SHARED));
			variants.forEach((before, former) -> variants.forEach((after, wanted) -> {
				if (former != wanted) {
					pairs.add(new Pair(before + " to " + after, former.build(), wanted.build(), false));
				}
			}));
			pairs.add(new Pair("first version", order(1).build(), order(1).build(), true));
			return pairs.stream();
		}

		static SimulatedBroker withFirstVersion() {
			SimulatedBroker broker = SimulatedBroker.with(order(1).build())
				.queue(Q + ".undeliverable",
						Map.of("x-queue-type", "quorum", "x-overflow", "reject-publish", "x-delivery-limit", -1))
				.route(Route.toQueue(Q + ".dlx", Q + ".undeliverable", Q + ".undeliverable"));
			ladder(broker, new EarlierLadder(Q + ".delay"));
			return broker.route(Route.toQueue(Q + ".delay.delivery", "*.".repeat(22) + Q, Q));
		}

		static void ladder(SimulatedBroker broker, EarlierLadder ladder) {
			ladder.exchanges().forEach((name) -> broker.exchange(name, "topic", Map.of()));
			ladder.queues().forEach((name, shapes) -> {
				broker.queue(name, shapes.get(0));
				broker.route(Route.toQueue(ladder.prefix(), "entry " + name, name));
				broker.route(Route.toQueue(name, "*.1.#", name));
			});
			List<String> exchanges = ladder.exchanges();
			for (int level = 1; level < exchanges.size() - 1; level++) {
				broker.route(new Route(exchanges.get(level), "*.0.#", Map.of(), DestinationType.EXCHANGE,
						exchanges.get(level - 1)));
			}
		}

		MigratedType type() {
			return new MigratedType(this.wanted, this.former);
		}

		SimulatedBroker before() {
			return this.firstVersion ? withFirstVersion() : SimulatedBroker.with(this.former);
		}

		void isAfter(SimulatedBroker broker) {
			SimulatedBroker wanted = SimulatedBroker.with(this.wanted);
			assertThat(broker.live().queues()).isEqualTo(wanted.live().queues());
			assertThat(broker.live().exchanges()).isEqualTo(wanted.live().exchanges());
			// what is on the ladder for a queue that is gone still comes out
			assertThat(broker.routes()).containsAll(wanted.routes());
			assertThat(broker.routes().stream().filter((route) -> !wanted.routes().contains(route)))
				.allMatch((route) -> route.exchange().equals(DelayLadder.EXIT));
		}

		@Override
		public String toString() {
			return this.name;
		}

	}

}
