/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.topology;

import java.time.Duration;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

import io.github.rabbitretry.topology.DelayRoute;

/**
 * Queues for delays of any length, one set of them for a virtual host. A delay is a sum
 * of powers of two, so there is one queue for each power, and a message waits in those
 * that its delay is the sum of, the longest first: <pre>
 * rabbit-retry.delay.v1              topic exchange: into the queue of the first level to wait in
 * rabbit-retry.delay.v1.&lt;level&gt;      queue: fixed time to live, then to the next lower level's exchange
 * rabbit-retry.delay.v1.&lt;level&gt;      topic exchange: into the queue of the next level to wait in, of that one and
 *                                    those below, or to the exit
 * rabbit-retry.delay.v1.delivery     topic exchange below the lowest level: to the queues that messages are for
 * rabbit-retry.delay.v1.unroutable   fanout exchange and queue: for what the exchange before has no queue for
 * </pre> with the levels {@code 250ms}, {@code 500ms}, {@code 1s}, {@code 2s} up to
 * {@code 524288s}. The routing key has one word for each of the 22 levels, the highest
 * first, {@code 1} to wait there and {@code 0} to pass by, and then the name of the queue
 * that the message is for. Dead-lettering keeps it, so the broker alone brings a message
 * down.
 * <p>
 * It is declared where a policy needs it, up to the level that its longest delay needs.
 * Every service declares a level the same way, whatever its settings, so that no two can
 * disagree. Another layout would have another number in its name.
 * <p>
 * A message only ever goes down and is in no queue twice: RabbitMQ's detection of
 * dead-letter cycles never sees one. Delays are rounded up to {@link #UNIT}, so nothing
 * comes early. A message that no queue takes would hold up the others that leave its
 * level; the last exchange has an alternate one, so a queue that was deleted or unbound
 * holds up no other message.
 * <p>
 * Each exchange leads straight to all levels that may be next. Passing those in between
 * one by one took RabbitMQ 4.0.5 ten times as long at the entry, and three times as long
 * from the level of 32 s to the exit.
 */
public final class DelayLadder {

	private static final String ANY = "rabbit-retry.delay.";

	/** Its entry, and what all other names begin with. */
	public static final String NAME = ANY + "v1";

	/**
	 * Whether a binding is one of the ladder's own.
	 * @param binding a binding
	 * @return {@code true} if any service may need it
	 */
	public static boolean hasBinding(BindingDefinition binding) {
		return parts(LEVELS).bindings().contains(binding);
	}

	/**
	 * The queue of messages whose queue is not there, and of dead letters that no
	 * consumer can receive. It has no consumers.
	 */
	public static final String UNROUTABLE = NAME + ".unroutable";

	/** The shortest level. */
	public static final Duration UNIT = Duration.ofMillis(250);

	/** The longest delay that can be requested. */
	public static final Duration LONGEST = Duration.ofSeconds(864_000);

	private static final int LEVELS = 22;

	private static final long UNIT_NANOS = UNIT.toNanos();

	/** The exchange that leads to the queues that messages are for. */
	public static final String EXIT = NAME + ".delivery";

	/** What matches the beginning of its routing keys, for permissions. */
	public static final String STEPS_PATTERN = "^([01]\\.){" + LEVELS + "}";

	private static final String PAST_ALL = "*.".repeat(LEVELS);

	private static final int HOPS_OF_JITTER = 2;

	private DelayLadder() {
	}

	/**
	 * How many levels a delay needs.
	 * @param longest the longest delay to be waited for
	 * @return from 1 to 22
	 */
	static int levelsFor(Duration longest) {
		return Long.SIZE - Long.numberOfLeadingZeros(units(longest));
	}

	/**
	 * The lowest levels of the ladder, without its bindings to the queues of message
	 * types. Each level is declared the same way, however many there are.
	 * @param levels how many
	 */
	static TopologyParts parts(int levels) {
		TopologyParts.Collector parts = new TopologyParts.Collector();
		parts.exchange(UNROUTABLE, "fanout");
		parts.exchange(new ExchangeDefinition(EXIT, "topic", Map.of("alternate-exchange", UNROUTABLE)));
		parts.exchange(NAME, "topic");
		parts.queue(lastQueue());
		parts.bind(UNROUTABLE, "", UNROUTABLE);
		for (int level = 0; level < levels; level++) {
			Map<String, Object> arguments = QueueArguments.deadLettering(QueueType.QUORUM, exchange(level - 1));
			arguments.put("x-message-ttl", delay(level).toMillis());
			parts.queue(name(level), QueueRole.RETRY, arguments);
			parts.bind(NAME, "0.".repeat(LEVELS - 1 - level) + "1.#", name(level));
			if (level < levels - 1) {
				parts.exchange(exchange(level), "topic");
				bindToAllBelow(parts, level);
			}
		}
		return parts.collected();
	}

	private static void bindToAllBelow(TopologyParts.Collector parts, int level) {
		String passed = "*.".repeat(LEVELS - 1 - level);
		for (int next = level; next >= 0; next--) {
			parts.bind(exchange(level), passed + "0.".repeat(level - next) + "1.#", name(next));
		}
		parts.bind(BindingDefinition.toExchange(exchange(level), passed + "0.".repeat(level + 1) + "#", EXIT));
	}

	/**
	 * The way out to a queue. It fits this name alone: {@code #} instead of the stars
	 * would also give {@code a.b} what is for {@code x.a.b}.
	 * @param name the name that routing keys end with
	 * @param destination the queue to bind
	 * @return the binding
	 */
	static BindingDefinition exit(String name, String destination) {
		return BindingDefinition.toQueue(EXIT, PAST_ALL + name, destination);
	}

	/**
	 * What the keys of messages end with that a binding lets out.
	 * @param routingKey the routing key of an {@link #exit}
	 * @return its end
	 */
	public static String end(String routingKey) {
		return routingKey.substring(Math.min(PAST_ALL.length(), routingKey.length()));
	}

	/**
	 * The way down the ladder.
	 * @param name what the binding of its end has
	 * @param delay how long to wait
	 * @param levels how many levels there are
	 * @return the way, its delay rounded up to {@link #UNIT}; shorter if {@link #LONGEST}
	 * or what the levels add up to is
	 */
	static DelayRoute route(String name, Duration delay, int levels) {
		long units = Math.min(units(delay), (1L << levels) - 1);
		StringBuilder key = new StringBuilder(2 * LEVELS + name.length());
		for (int level = LEVELS - 1; level >= 0; level--) {
			key.append((units >> level & 1) == 1 ? "1." : "0.");
		}
		return new DelayRoute(NAME, key.append(name).toString(), UNIT.multipliedBy(units));
	}

	/**
	 * Draws a random wait of few hops.
	 * @param window the longest wait
	 * @param random where chance comes from
	 * @return zero or more, and a wait that takes two levels at most
	 */
	public static Duration draw(Duration window, RandomGenerator random) {
		return twoLevels(random.nextInt(wholeUnits(window) + 1));
	}

	/**
	 * The longest wait that can be drawn.
	 * @param window the longest wait allowed
	 * @return at most the window, and zero if the window is shorter than any level
	 */
	public static Duration longestDrawn(Duration window) {
		return twoLevels(wholeUnits(window));
	}

	private static int wholeUnits(Duration window) {
		return (int) (shorter(window, LONGEST).toNanos() / UNIT_NANOS);
	}

	/** Leaves all but the two highest ones out. */
	private static Duration twoLevels(int units) {
		int highest = Integer.highestOneBit(units);
		return UNIT.multipliedBy(highest + Integer.highestOneBit(units - highest));
	}

	/** Whether a wait takes as few hops as those that are drawn. */
	static boolean fewHops(Duration delay) {
		return delay.compareTo(LONGEST) <= 0 && Long.bitCount(units(delay)) <= HOPS_OF_JITTER;
	}

	/**
	 * Whether a message that came through this exchange came down the ladder.
	 * @param exchange an exchange's name
	 * @return {@code true} if it is one of the ladder's
	 */
	public static boolean hasExchange(String exchange) {
		return exchange.equals(NAME) || exchange.startsWith(NAME + ".");
	}

	/**
	 * Whether a queue is a level of the ladder.
	 * @param name a queue's name
	 * @return {@code true} if any service may need it
	 */
	public static boolean hasLevel(String name) {
		return IntStream.range(0, LEVELS).mapToObj(DelayLadder::name).anyMatch(name::equals);
	}

	/**
	 * The queue of messages whose queue is not there, and of dead letters that no
	 * consumer can receive.
	 * @return the queue, declared the same way by every service
	 */
	static QueueDefinition lastQueue() {
		return new QueueDefinition(UNROUTABLE, QueueRole.UNROUTABLE, QueueArguments.storage(QueueType.QUORUM));
	}

	/**
	 * Whether a queue is one of the ladder's, of this layout or another.
	 * @param name a queue's name
	 * @return {@code true} if its name is reserved
	 */
	public static boolean hasQueue(String name) {
		return name.startsWith(ANY);
	}

	private static String exchange(int level) {
		return (level < 0) ? EXIT : name(level);
	}

	private static String name(int level) {
		return NAME + "." + new DelayLevel(delay(level)).label();
	}

	private static Duration delay(int level) {
		return UNIT.multipliedBy(1L << level);
	}

	/** In nanoseconds, which fit for the longest: dividing durations takes decimals. */
	private static long units(Duration delay) {
		return Math.max(1, Math.floorDiv(shorter(delay, LONGEST).toNanos() + UNIT_NANOS - 1, UNIT_NANOS));
	}

	private static Duration shorter(Duration delay, Duration bound) {
		return (delay.compareTo(bound) > 0) ? bound : delay;
	}

}
