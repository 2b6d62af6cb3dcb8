/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.topology;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

import io.github.rabbitretry.topology.DelayRoute;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.amqp.core.Binding.DestinationType;

import static org.assertj.core.api.Assertions.assertThat;

class DelayLadderTests {

	private static final String NAME = "rabbit-retry.delay.v1";

	private static final String NONE = "0.".repeat(22);

	@Test
	void hasAQueueForEachPowerOfTwoAndOneForWhatHasNoQueue() {
		TopologyParts parts = DelayLadder.parts(22);
		assertThat(parts.queues()).hasSize(23);
		assertThat(parts.exchanges()).hasSize(24);
		assertThat(parts.bindings()).hasSize(1 + 22 + 21 * 22 / 2 + 21);
	}

	@Test
	void namesEachLevelByItsDelayAndDeadLettersToTheNextLowerOne() {
		List<QueueDefinition> levels = levels();
		assertThat(levels.subList(0, 3)).extracting(QueueDefinition::name)
			.containsExactly(NAME + ".250ms", NAME + ".500ms", NAME + ".1s");
		assertThat(levels.subList(0, 3)).extracting((queue) -> queue.arguments().get("x-message-ttl"))
			.containsExactly(250L, 500L, 1000L);
		assertThat(levels.subList(0, 3)).extracting((queue) -> queue.arguments().get("x-dead-letter-exchange"))
			.containsExactly(NAME + ".delivery", NAME + ".250ms", NAME + ".500ms");
		assertThat(levels).hasSize(22)
			.allSatisfy((queue) -> assertThat(queue.arguments()).containsEntry("x-queue-type", "quorum")
				.containsEntry("x-dead-letter-strategy", "at-least-once")
				.containsEntry("x-overflow", "reject-publish")
				.doesNotContainKey("x-dead-letter-routing-key"));
		assertThat(levels).last().extracting(QueueDefinition::name).isEqualTo(NAME + ".524288s");
	}

	@ParameterizedTest
	@CsvSource({ "PT0.1S, 1", "PT0.25S, 1", "PT0.26S, 2", "PT2H, 15", "P1D, 19", "P10D, 22", "P99D, 22" })
	void hasNoMoreLevelsThanTheLongestDelayNeeds(Duration longest, int levels) {
		assertThat(DelayLadder.levelsFor(longest)).isEqualTo(levels);
		TopologyParts parts = DelayLadder.parts(levels);
		TopologyParts all = DelayLadder.parts(22);
		assertThat(parts.queues()).hasSize(1 + levels).isSubsetOf(all.queues());
		assertThat(parts.exchanges()).hasSize(2 + levels).isSubsetOf(all.exchanges());
		assertThat(parts.bindings()).isSubsetOf(all.bindings()).allMatch(DelayLadder::hasBinding);
		DelayRoute route = DelayLadder.route("q", longest, levels);
		assertThat(route).isEqualTo(DelayLadder.route("q", longest, 22));
		assertThat(DelayLadder.route("q", Duration.ofDays(10), levels).delay()).isBetween(route.delay(),
				Duration.ofDays(10));
	}

	@Test
	void leadsDownFromItsHighestLevelHoweverManyThereAre() {
		Set<BindingDefinition> bindings = new HashSet<>(DelayLadder.parts(4).bindings());
		bindings.add(DelayLadder.exit("q", "q"));
		DelayRoute route = DelayLadder.route("q", Duration.ofHours(1), 4);
		assertThat(route.delay()).isEqualTo(Duration.ofMillis(3_750));
		assertThat(routed(bindings, NAME, route.routingKey())).containsExactly(NAME + ".2s");
		assertThat(routed(bindings, NAME + ".1s", route.routingKey())).containsExactly(NAME + ".1s");
		assertThat(routed(bindings, NAME + ".delivery", route.routingKey())).containsExactly("q");
	}

	@Test
	void keepsWhatHasNoQueueHoweverOftenItIsLookedAt() {
		assertThat(DelayLadder.parts(22).exchanges()).contains(
				new ExchangeDefinition(NAME + ".delivery", "topic", Map.of("alternate-exchange", NAME + ".unroutable")),
				new ExchangeDefinition(NAME + ".unroutable", "fanout"));
		assertThat(DelayLadder.parts(22).queues()).filteredOn((queue) -> queue.role() == QueueRole.UNROUTABLE)
			.singleElement()
			.satisfies((queue) -> {
				assertThat(queue.name()).isEqualTo(DelayLadder.UNROUTABLE);
				assertThat(queue.arguments()).isEqualTo(
						Map.of("x-queue-type", "quorum", "x-overflow", "reject-publish", "x-delivery-limit", -1));
			});
		assertThat(DelayLadder.parts(22).bindings())
			.contains(BindingDefinition.toQueue(NAME + ".unroutable", "", NAME + ".unroutable"));
	}

	@ParameterizedTest
	@CsvSource({ "PT1S, PT1S", "PT1.001S, PT1.25S", "PT0.000000001S, PT0.25S", "PT0S, PT0.25S", "PT-5S, PT0.25S",
			"PT75.6S, PT75.75S", "P10D, P10D", "PT9999999H, P10D" })
	void roundsUpToTheUnitAndStopsAtItsLength(Duration asked, Duration waited) {
		DelayRoute route = DelayLadder.route("q", asked, 22);
		assertThat(route.delay()).isEqualTo(waited);
		assertThat(route.exchange()).isEqualTo(NAME);
	}

	@Test
	void spellsTheLevelsOfADelayHighestFirst() {
		DelayRoute route = DelayLadder.route("order.create", Duration.ofMillis(75_750), 22);
		assertThat(route.exchange()).isEqualTo(NAME);
		// 64 s + 8 s + 2 s + 1 s + 500 ms + 250 ms
		assertThat(route.routingKey()).isEqualTo("0.".repeat(13) + "1.0.0.1.0.1.1.1.1." + "order.create");
	}

	@Test
	void leadsEveryDelayThroughQueuesThatAddUpToItToItsQueue() {
		Random random = new Random(5);
		List<String> targets = List.of("a.b", "x.a.b", "b", "0.1", "1", "a..b");
		Set<BindingDefinition> bindings = bindings(targets);
		for (int i = 0; i < 500; i++) {
			Duration delay = Duration.ofMillis(1 + random.nextLong(1L << 5 + random.nextInt(25)));
			String target = targets.get(random.nextInt(targets.size()));
			DelayRoute route = DelayLadder.route(target, delay, 22);
			Duration waited = Duration.ZERO;
			Set<String> visited = new HashSet<>();
			List<String> now = routed(bindings, route.exchange(), route.routingKey());
			while (!now.equals(List.of(target))) {
				assertThat(now).hasSize(1);
				String name = now.get(0);
				assertThat(visited.add(name)).isTrue();
				QueueDefinition queue = levels().stream()
					.filter((model) -> model.name().equals(name))
					.findAny()
					.orElseThrow();
				waited = waited.plusMillis((long) queue.arguments().get("x-message-ttl"));
				now = routed(bindings, (String) queue.arguments().get("x-dead-letter-exchange"), route.routingKey());
			}
			assertThat(waited).isEqualTo(route.delay()).isBetween(delay, delay.plus(DelayLadder.UNIT));
		}
	}

	@Test
	void leadsWhatItsEndHasNoQueueForToTheAlternateExchange() {
		String key = DelayLadder.route("gone", Duration.ofSeconds(1), 22).routingKey();
		assertThat(routed(bindings(List.of("a.b")), NAME + ".delivery", key)).isEmpty();
		assertThat(routed(bindings(List.of("a.b")), NAME + ".unroutable", key)).containsExactly(NAME + ".unroutable");
	}

	@Test
	void drawsWaitsOfTwoLevelsAtMostWithinTheWindow() {
		Random random = new Random(5);
		Duration window = Duration.ofSeconds(60);
		Set<Duration> drawn = new TreeSet<>();
		for (int i = 0; i < 2000; i++) {
			drawn.add(DelayLadder.draw(window, random));
		}
		assertThat(drawn).hasSizeGreaterThan(20).allSatisfy((wait) -> {
			assertThat(wait).isBetween(Duration.ZERO, window);
			assertThat(wait.isZero() || DelayLadder.fewHops(wait)).isTrue();
		});
		assertThat(drawn.stream().mapToLong(Duration::toSeconds).average().orElseThrow()).isBetween(10.0, 50.0);
	}

	@ParameterizedTest
	@CsvSource({ "PT0S, PT0S", "PT0.249S, PT0S", "PT0.25S, PT0.25S", "PT1S, PT1S", "PT1.75S, PT1.5S",
			"P20D, PT786432S" })
	void drawsFromNothingToTheLongestWaitOfTwoLevels(Duration window, Duration longest) {
		assertThat(DelayLadder.draw(window, new Bound(false))).isZero();
		assertThat(DelayLadder.draw(window, new Bound(true))).isEqualTo(longest);
	}

	@Test
	void keepsKeysWithinTheBrokersLimit() {
		assertThat((NONE + "q".repeat(MessageTopology.LONGEST_NAME)).length()).isLessThanOrEqualTo(255);
	}

	private static List<QueueDefinition> levels() {
		return DelayLadder.parts(22).queues().stream().filter((queue) -> DelayLadder.hasLevel(queue.name())).toList();
	}

	private static Set<BindingDefinition> bindings(List<String> targets) {
		Set<BindingDefinition> bindings = new HashSet<>(DelayLadder.parts(22).bindings());
		targets.forEach((target) -> bindings.add(DelayLadder.exit(target, target)));
		return bindings;
	}

	/** The queues that a message gets into, by RabbitMQ's rules for topic exchanges. */
	private static List<String> routed(Set<BindingDefinition> bindings, String exchange, String key) {
		List<String> queues = new ArrayList<>();
		for (BindingDefinition binding : bindings) {
			if (binding.exchange().equals(exchange)
					&& (exchange.endsWith(".unroutable") || fits(words(binding.routingKey()), words(key)))) {
				if (binding.type() == DestinationType.QUEUE) {
					queues.add(binding.destination());
				}
				else {
					queues.addAll(routed(bindings, binding.destination(), key));
				}
			}
		}
		return queues;
	}

	private static boolean fits(List<String> pattern, List<String> key) {
		if (pattern.isEmpty()) {
			return key.isEmpty();
		}
		List<String> rest = pattern.subList(1, pattern.size());
		if (pattern.get(0).equals("#")) {
			return fits(rest, key) || (!key.isEmpty() && fits(pattern, key.subList(1, key.size())));
		}
		return !key.isEmpty() && (pattern.get(0).equals("*") || pattern.get(0).equals(key.get(0)))
				&& fits(rest, key.subList(1, key.size()));
	}

	private static List<String> words(String text) {
		return List.of(text.split("\\.", -1));
	}

	/** The lowest and the highest that chance can come to. */
	private record Bound(boolean high) implements RandomGenerator {

		@Override
		public int nextInt(int bound) {
			return this.high ? bound - 1 : 0;
		}

		@Override
		public long nextLong() {
			throw new UnsupportedOperationException();
		}

	}

}
