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
import java.util.Random;
import java.util.Set;

import io.github.rabbitretry.topology.DelayRoute;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.amqp.core.Binding.DestinationType;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class DelayLadderTests {

	private static final String NONE = "0.".repeat(22);

	@ParameterizedTest
	@CsvSource({ "PT1S, 3", "PT2M, 9", "PT2H, 15", "PT12H, 18", "P10D, 22" })
	void hasAsManyQueuesAsTheLogarithmOfItsLongestDelay(Duration longest, int queues) {
		TopologyParts parts = ladder(longest).parts("q");
		assertThat(parts.queues()).hasSize(queues);
		assertThat(parts.exchanges()).hasSize(queues + 1);
		assertThat(parts.bindings()).hasSize(3 * queues - 1);
	}

	@Test
	void namesEachLevelByItsDelayAndDeadLettersToTheNextLowerOne() {
		TopologyParts parts = ladder(Duration.ofSeconds(1)).parts("q");
		assertThat(parts.queues()).extracting(QueueModel::name).containsExactly("p.250ms", "p.500ms", "p.1s");
		assertThat(parts.queues()).extracting((queue) -> queue.arguments().get("x-message-ttl"))
			.containsExactly(250L, 500L, 1000L);
		assertThat(parts.queues()).extracting((queue) -> queue.arguments().get("x-dead-letter-exchange"))
			.containsExactly("p.delivery", "p.250ms", "p.500ms");
		assertThat(parts.queues()).allSatisfy(
				(queue) -> assertThat(queue.arguments()).containsEntry("x-dead-letter-strategy", "at-least-once")
					.containsEntry("x-overflow", "reject-publish")
					.doesNotContainKey("x-dead-letter-routing-key"));
		assertThat(ladder(DelayLadder.LONGEST).parts("q").queues()).last()
			.extracting(QueueModel::name)
			.isEqualTo("p.524288s");
	}

	@ParameterizedTest
	@CsvSource({ "PT1S, PT1S", "PT1.001S, PT1.25S", "PT0.000000001S, PT0.25S", "PT0S, PT0.25S", "PT-5S, PT0.25S",
			"PT75.6S, PT75.75S", "P10D, P10D", "PT9999999H, P10D" })
	void roundsUpToTheUnitAndStopsAtItsLength(Duration asked, Duration waited) {
		assertThat(ladder(DelayLadder.LONGEST).route("q", asked).delay()).isEqualTo(waited);
	}

	@Test
	void tellsWhatItCanDoIfMoreIsAskedForThanItIsLong() {
		DelayRoute route = ladder(Duration.ofSeconds(3)).route("q", Duration.ofHours(1));
		assertThat(route.delay()).isEqualTo(Duration.ofMillis(3_750));
		assertThat(route.exchange()).isEqualTo("p");
	}

	@Test
	void spellsTheLevelsOfADelayHighestFirst() {
		DelayRoute route = ladder(DelayLadder.LONGEST).route("order.create", Duration.ofMillis(75_750));
		assertThat(route.exchange()).isEqualTo("p");
		// 64 s + 8 s + 2 s + 1 s + 500 ms + 250 ms
		assertThat(route.routingKey()).isEqualTo("0.".repeat(13) + "1.0.0.1.0.1.1.1.1." + "order.create");
	}

	@Test
	void keepsTheKeyWhateverItsHeightSoThatItCanGrowWhileMessagesWait() {
		DelayLadder low = ladder(Duration.ofSeconds(3));
		DelayLadder high = ladder(Duration.ofHours(3));
		Duration delay = Duration.ofMillis(2_750);
		assertThat(low.route("q", delay).routingKey()).isEqualTo(high.route("q", delay).routingKey());
		assertThat(high.parts("q").queues()).containsAll(low.parts("q").queues());
		assertThat(high.parts("q").bindings()).containsAll(low.parts("q").bindings());
		assertThat(low.hasExchange("p.8192s")).isTrue();
	}

	@Test
	void leadsEveryDelayThroughQueuesThatAddUpToItToTheWorkQueue() {
		Random random = new Random(5);
		List<String> workQueues = List.of("a.b", "x.a.b", "b", "0.1", "1", "a..b");
		DelayLadder ladder = ladder(DelayLadder.LONGEST);
		Set<BindingModel> bindings = new HashSet<>();
		workQueues.forEach((queue) -> bindings.addAll(ladder.parts(queue).bindings()));
		List<QueueModel> queues = ladder.parts("a.b").queues();
		for (int i = 0; i < 500; i++) {
			Duration delay = Duration.ofMillis(1 + random.nextLong(1L << 5 + random.nextInt(25)));
			String workQueue = workQueues.get(random.nextInt(workQueues.size()));
			DelayRoute route = ladder.route(workQueue, delay);
			Duration waited = Duration.ZERO;
			Set<String> visited = new HashSet<>();
			List<String> now = routed(bindings, route.exchange(), route.routingKey());
			while (!now.equals(List.of(workQueue))) {
				assertThat(now).hasSize(1);
				String name = now.get(0);
				assertThat(visited.add(name)).isTrue();
				QueueModel queue = queues.stream().filter((model) -> model.name().equals(name)).findAny().orElseThrow();
				waited = waited.plusMillis((long) queue.arguments().get("x-message-ttl"));
				now = routed(bindings, (String) queue.arguments().get("x-dead-letter-exchange"), route.routingKey());
			}
			assertThat(waited).isEqualTo(route.delay()).isBetween(delay, delay.plus(DelayLadder.UNIT));
		}
	}

	@Test
	void leadsPastAllLevelsStraightIntoTheWorkQueue() {
		DelayLadder ladder = ladder(DelayLadder.LONGEST);
		Set<BindingModel> bindings = new HashSet<>(ladder.parts("a.b").bindings());
		bindings.addAll(ladder.parts("x.a.b").bindings());
		DelayRoute route = ladder.directRoute("a.b");
		assertThat(routed(bindings, route.exchange(), route.routingKey())).containsExactly("a.b");
		assertThat(route.delay()).isZero();
	}

	@ParameterizedTest
	@ValueSource(strings = { "PT0S", "PT-1S", "PT240H0.001S" })
	void refusesALengthThatCannotBe(Duration longest) {
		assertThatExceptionOfType(InvalidTopologyException.class).isThrownBy(() -> ladder(longest))
			.withMessageContaining("must be positive and at most PT240H");
	}

	@Test
	void keepsKeysWithinTheBrokersLimit() {
		assertThat((NONE + "q".repeat(MessageTopology.LONGEST_NAME)).length()).isLessThanOrEqualTo(255);
	}

	/** The queues that a message gets into, by RabbitMQ's rules for topic exchanges. */
	private static List<String> routed(Set<BindingModel> bindings, String exchange, String key) {
		List<String> queues = new ArrayList<>();
		for (BindingModel binding : bindings) {
			if (binding.exchange().equals(exchange) && fits(words(binding.routingKey()), words(key))) {
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

	private static DelayLadder ladder(Duration longest) {
		return new DelayLadder("p", QueueType.QUORUM, longest);
	}

}
