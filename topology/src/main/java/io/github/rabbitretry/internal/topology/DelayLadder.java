/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.topology;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.github.rabbitretry.topology.DelayRoute;

/**
 * Queues for delays of any length. A delay is a sum of powers of two, so there is one
 * queue for each power, and a message waits in those that its delay is the sum of, the
 * longest first. For a prefix {@code P}: <pre>
 * P            topic exchange: into the queue of the first level that a message waits in
 * P.&lt;level&gt;    queue: fixed time to live, then to the next lower level's exchange
 * P.&lt;level&gt;    topic exchange: into the queue of that level, or past it to the next exchange
 * P.delivery   topic exchange below the lowest level: to the work queues
 * </pre> with the levels {@code 250ms}, {@code 500ms}, {@code 1s}, {@code 2s} up to
 * {@code 524288s}. The routing key has one word for each of the 22 levels, the highest
 * first, {@code 1} to wait there and {@code 0} to pass by, and then the work queue's
 * name. Dead-lettering keeps it, so the broker alone brings a message down.
 * <p>
 * A message only ever goes down and is in no queue twice: RabbitMQ's detection of
 * dead-letter cycles never sees one. Delays are rounded up to {@link #UNIT}, so nothing
 * comes early. The key is the same whatever the number of levels, so a ladder can get
 * higher on a broker where messages wait in it.
 * <p>
 * The first level is found by one exchange, because passing by all higher levels one by
 * one took RabbitMQ 4.0.5 ten times as long.
 */
public final class DelayLadder {

	/** The shortest level. */
	public static final Duration UNIT = Duration.ofMillis(250);

	/** The longest delay that can be asked for. */
	public static final Duration LONGEST = Duration.ofSeconds(864_000);

	/** What the names of the shared ladder begin with by default. */
	public static final String SHARED_PREFIX = "rabbit-retry.delay";

	private static final long UNIT_NANOS = UNIT.toNanos();

	private static final int MOST_LEVELS = 22;

	private final String prefix;

	private final QueueType queueType;

	private final int levels;

	/**
	 * Creates a ladder.
	 * @param prefix what the names of its queues and exchanges begin with
	 * @param queueType the type of its queues
	 * @param longest the longest delay it is for, at most {@link #LONGEST}
	 */
	DelayLadder(String prefix, QueueType queueType, Duration longest) {
		this.prefix = prefix;
		this.queueType = queueType;
		if (longest.isNegative() || longest.isZero() || longest.compareTo(LONGEST) > 0) {
			throw new InvalidTopologyException("longest delay", longest, "must be positive and at most " + LONGEST,
					"For anything longer, a scheduler is the better place.");
		}
		this.levels = Long.SIZE - Long.numberOfLeadingZeros(units(longest));
	}

	/**
	 * All of the ladder and its way out to one work queue.
	 * @param workQueue the work queue
	 * @return exchanges and queues, the lowest first
	 */
	TopologyParts parts(String workQueue) {
		return parts(workQueue, workQueue);
	}

	/**
	 * All of the ladder and its way out to another queue, which leads on to the work
	 * queue.
	 * @param workQueue the work queue
	 * @param destination the queue to bind
	 * @return exchanges and queues, the lowest first
	 */
	TopologyParts parts(String workQueue, String destination) {
		List<ExchangeModel> exchanges = new ArrayList<>(List.of(topic(this.prefix), topic(exchange(-1))));
		List<QueueModel> queues = new ArrayList<>();
		List<BindingModel> bindings = new ArrayList<>(List.of(delivery(workQueue, destination)));
		for (int level = 0; level < this.levels; level++) {
			queues.add(new QueueModel(name(level), QueueRole.RETRY, arguments(level)));
			int above = MOST_LEVELS - 1 - level;
			bindings.add(BindingModel.toQueue(this.prefix, "0.".repeat(above) + "1.#", name(level)));
			if (level < this.levels - 1) {
				exchanges.add(topic(exchange(level)));
				bindings.add(BindingModel.toQueue(exchange(level), "*.".repeat(above) + "1.#", name(level)));
				bindings.add(BindingModel.toExchange(exchange(level), "*.".repeat(above) + "0.#", exchange(level - 1)));
			}
		}
		return new TopologyParts(exchanges, queues, bindings);
	}

	private static ExchangeModel topic(String name) {
		return new ExchangeModel(name, "topic");
	}

	private Map<String, Object> arguments(int level) {
		Map<String, Object> arguments = QueueArguments.deadLettering(this.queueType, exchange(level - 1));
		arguments.put("x-message-ttl", delay(level).toMillis());
		return arguments;
	}

	/**
	 * Fits this work queue's name alone: {@code #} instead of the stars would also give
	 * {@code a.b} what is for {@code x.a.b}.
	 */
	private BindingModel delivery(String workQueue, String destination) {
		return BindingModel.toQueue(exchange(-1), "*.".repeat(MOST_LEVELS) + workQueue, destination);
	}

	/**
	 * The way through the ladder.
	 * @param workQueue where to
	 * @param delay how long to wait
	 * @return the way, its delay rounded up to {@link #UNIT}, or the longest that this
	 * ladder is for if that is shorter
	 */
	DelayRoute route(String workQueue, Duration delay) {
		Duration bounded = (delay.compareTo(LONGEST) > 0) ? LONGEST : delay;
		long units = Math.min(Math.max(units(bounded), 1), (1L << this.levels) - 1);
		StringBuilder key = new StringBuilder(2 * MOST_LEVELS + workQueue.length());
		for (int level = MOST_LEVELS - 1; level >= 0; level--) {
			key.append((units >> level & 1) == 1 ? "1." : "0.");
		}
		return new DelayRoute(this.prefix, key.append(workQueue).toString(), UNIT.multipliedBy(units));
	}

	/**
	 * The way past all levels.
	 * @param workQueue where to
	 * @return the way
	 */
	DelayRoute directRoute(String workQueue) {
		return new DelayRoute(exchange(-1), "0.".repeat(MOST_LEVELS) + workQueue, Duration.ZERO);
	}

	/**
	 * Whether a message that came through this exchange came down the ladder. Levels that
	 * a smaller ladder has not are recognized too: messages may still wait there.
	 * @param exchange an exchange's name
	 * @return {@code true} if it is one of the ladder's
	 */
	boolean hasExchange(String exchange) {
		if (!exchange.startsWith(this.prefix)) {
			return false;
		}
		if (exchange.equals(this.prefix)) {
			return true;
		}
		for (int level = -1; level < MOST_LEVELS; level++) {
			if (exchange.equals(exchange(level))) {
				return true;
			}
		}
		return false;
	}

	/**
	 * The ladder in a few words.
	 * @return prefix, lowest and highest level
	 */
	String description() {
		return "%s to .%s".formatted(name(0), name(this.levels - 1).substring(this.prefix.length() + 1));
	}

	private String exchange(int level) {
		return (level < 0) ? this.prefix + ".delivery" : name(level);
	}

	private String name(int level) {
		return this.prefix + "." + new DelayLevel(delay(level)).label();
	}

	private static Duration delay(int level) {
		return UNIT.multipliedBy(1L << level);
	}

	/** In nanoseconds, which fit for the longest: dividing durations takes decimals. */
	private static long units(Duration delay) {
		return Math.floorDiv(delay.toNanos() + UNIT_NANOS - 1, UNIT_NANOS);
	}

}
