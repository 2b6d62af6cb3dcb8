/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.topology;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

/**
 * The whole topology of one message type. For a work queue {@code Q}: <pre>
 * Q                 the work queue; what the broker gives up goes to Q.dlx
 * Q.retry           direct exchange: into the retry queues, and from them back to Q
 * Q.retry.10s ...   one queue for each delay level, with one fixed time to live
 * Q.dlx             direct exchange: to the dead-letter queue and to the parking lot
 * Q.dlq             what the broker itself gave up, until triage parks it
 * Q.parking-lot     what waits for people
 * </pre> Every binding's routing key is the name of the queue it leads to. Messages come
 * back to the work queue alone, never through the producer's exchange, whose other queues
 * would get duplicates. The default exchange is not used: permission to write to it
 * reaches every queue.
 * <p>
 * The work queue's dead-letter exchange never leads into the ring: RabbitMQ drops a
 * message, silently, that comes back by dead-lettering alone to a queue it was in.
 */
public final class MessageTopology {

	/**
	 * The longest queue name, in bytes of UTF-8: the broker takes 255, and quorum queues
	 * derive longer names of their own.
	 */
	public static final int LONGEST_NAME = 200;

	private static final int NO_LIMIT = -1;

	private final String queue;

	private final QueueType queueType;

	private final int deliveryLimit;

	private final @Nullable String exchange;

	private final Set<String> routingKeys;

	private final TreeSet<DelayLevel> levels = new TreeSet<>();

	private final TopologyNames names;

	private MessageTopology(Builder builder) {
		this.queue = builder.queue;
		this.queueType = builder.queueType;
		this.deliveryLimit = builder.deliveryLimit;
		this.exchange = builder.exchange;
		this.routingKeys = builder.routingKeys.isEmpty() ? Set.of(builder.queue)
				: new LinkedHashSet<>(builder.routingKeys);
		this.names = builder.names;
		for (Duration delay : builder.delays) {
			if (!this.levels.add(new DelayLevel(delay))) {
				throw new InvalidTopologyException("delay", delay, "must not be given twice", "Remove one of the two.");
			}
		}
		validate(builder);
	}

	/**
	 * Starts a topology.
	 * @param queue the work queue
	 * @return a builder with quorum queues, a delivery limit of 5 and no delay levels
	 */
	public static Builder of(String queue) {
		return new Builder(queue);
	}

	public String queue() {
		return this.queue;
	}

	public QueueType queueType() {
		return this.queueType;
	}

	/**
	 * The delay levels, shortest first.
	 * @return a copy
	 */
	public List<DelayLevel> levels() {
		return List.copyOf(this.levels);
	}

	/**
	 * The retry queue of a level.
	 * @param level one of {@link #levels()}
	 * @return its name, which is its routing key too
	 */
	public String retryQueue(DelayLevel level) {
		return orElse(this.names.retryPrefix(), this.queue + ".retry") + "." + level.label();
	}

	/**
	 * The way to a delay.
	 * @param delay how long to wait, positive
	 * @return where to publish to
	 */
	public DelayRoute route(Duration delay) {
		DelayLevel best = this.levels.first();
		for (DelayLevel level : this.levels) {
			if (level.delay().compareTo(delay) <= 0) {
				best = level;
			}
		}
		return new DelayRoute(ringExchange(), retryQueue(best), best.delay());
	}

	/**
	 * The exchange that leads into the retry queues, and back to the work queue.
	 * @return its name
	 */
	public String ringExchange() {
		return orElse(this.names.ringExchange(), this.queue + ".retry");
	}

	/**
	 * The exchange that leads to the dead-letter queue and to the parking lot.
	 * @return its name
	 */
	public String deadLetterExchange() {
		return orElse(this.names.deadLetterExchange(), this.queue + ".dlx");
	}

	public String deadLetterQueue() {
		return orElse(this.names.deadLetterQueue(), this.queue + ".dlq");
	}

	public String parkingLot() {
		return orElse(this.names.parkingLot(), this.queue + ".parking-lot");
	}

	/**
	 * All exchanges, the producer's included if it is to be declared.
	 * @return the exchanges, in the order of their declaration
	 */
	public List<ExchangeModel> exchanges() {
		List<ExchangeModel> exchanges = new ArrayList<>();
		if (this.exchange != null) {
			exchanges.add(new ExchangeModel(this.exchange, "topic"));
		}
		exchanges.add(new ExchangeModel(ringExchange(), "direct"));
		exchanges.add(new ExchangeModel(deadLetterExchange(), "direct"));
		return exchanges;
	}

	/**
	 * All queues. A queue stands after those that it dead-letters to.
	 * @return the queues, in the order of their declaration
	 */
	public List<QueueModel> queues() {
		List<QueueModel> queues = new ArrayList<>();
		queues.add(new QueueModel(parkingLot(), QueueRole.PARKING_LOT, storage()));
		queues.add(new QueueModel(deadLetterQueue(), QueueRole.DEAD_LETTER, storage()));
		queues.add(new QueueModel(this.queue, QueueRole.WORK, work()));
		for (DelayLevel level : this.levels) {
			queues.add(new QueueModel(retryQueue(level), QueueRole.RETRY, retry(level)));
		}
		return queues;
	}

	/**
	 * All bindings.
	 * @return the bindings, in the order of their declaration
	 */
	public List<BindingModel> bindings() {
		List<BindingModel> bindings = new ArrayList<>();
		bindings.add(new BindingModel(deadLetterExchange(), parkingLot(), parkingLot()));
		bindings.add(new BindingModel(deadLetterExchange(), deadLetterQueue(), deadLetterQueue()));
		bindings.add(new BindingModel(ringExchange(), this.queue, this.queue));
		for (DelayLevel level : this.levels) {
			bindings.add(new BindingModel(ringExchange(), retryQueue(level), retryQueue(level)));
		}
		if (this.exchange != null) {
			this.routingKeys.forEach((key) -> bindings.add(new BindingModel(this.exchange, key, this.queue)));
		}
		return bindings;
	}

	private Map<String, Object> work() {
		Map<String, Object> arguments = deadLettering(deadLetterExchange(), deadLetterQueue());
		if (this.queueType == QueueType.QUORUM) {
			arguments.put("x-delivery-limit", this.deliveryLimit);
		}
		return arguments;
	}

	private Map<String, Object> retry(DelayLevel level) {
		Map<String, Object> arguments = deadLettering(ringExchange(), this.queue);
		arguments.put("x-message-ttl", level.delay().toMillis());
		return arguments;
	}

	private Map<String, Object> storage() {
		Map<String, Object> arguments = queueTypeOnly();
		if (this.queueType == QueueType.QUORUM) {
			// 4.x would drop a message after 20 returns, each peek of an operator being
			// one
			arguments.put("x-delivery-limit", NO_LIMIT);
		}
		return arguments;
	}

	private Map<String, Object> deadLettering(String toExchange, String key) {
		Map<String, Object> arguments = queueTypeOnly();
		arguments.put("x-dead-letter-exchange", toExchange);
		arguments.put("x-dead-letter-routing-key", key);
		if (this.queueType == QueueType.QUORUM) {
			arguments.put("x-dead-letter-strategy", "at-least-once");
			// without it the broker falls back to at-most-once, and says so nowhere
			arguments.put("x-overflow", "reject-publish");
		}
		return arguments;
	}

	private Map<String, Object> queueTypeOnly() {
		Map<String, Object> arguments = new HashMap<>();
		arguments.put("x-queue-type", (this.queueType == QueueType.QUORUM) ? "quorum" : "classic");
		return arguments;
	}

	private void validate(Builder builder) {
		if (this.deliveryLimit < 1) {
			throw new InvalidTopologyException("delivery-limit", this.deliveryLimit, "must be 1 or more",
					"Use 5, the default, unless handling a message is known to kill its process.");
		}
		if (this.exchange == null && !builder.routingKeys.isEmpty()) {
			throw new InvalidTopologyException("routing-keys", builder.routingKeys, "needs an exchange to bind to",
					"Set exchange too, or remove routing-keys.");
		}
		new NameCheck(this).check();
	}

	private static String orElse(@Nullable String name, String derived) {
		return (name != null) ? name : derived;
	}

	/**
	 * Builds a {@link MessageTopology}.
	 */
	public static final class Builder {

		private final String queue;

		private QueueType queueType = QueueType.QUORUM;

		private int deliveryLimit = 5;

		private @Nullable String exchange;

		private List<String> routingKeys = List.of();

		private List<Duration> delays = List.of();

		private TopologyNames names = TopologyNames.DERIVED;

		private Builder(String queue) {
			this.queue = queue;
		}

		/**
		 * Sets the type of all queues. Replaces quorum.
		 * @param queueType the type
		 * @return this builder
		 */
		public Builder queueType(QueueType queueType) {
			this.queueType = queueType;
			return this;
		}

		/**
		 * Sets how often the broker may deliver a message that is never settled, because
		 * its consumer died, before it gives the message up. Replaces 5; without effect
		 * on classic queues.
		 * @param deliveryLimit 1 or more
		 * @return this builder
		 */
		public Builder deliveryLimit(int deliveryLimit) {
			this.deliveryLimit = deliveryLimit;
			return this;
		}

		/**
		 * Declares the producer's exchange too, as a topic exchange, and binds the work
		 * queue to it. Replaces an earlier call.
		 * @param exchange its name
		 * @param routingKeys the keys to bind; none binds the work queue's name
		 * @return this builder
		 */
		public Builder boundTo(@Nullable String exchange, Collection<String> routingKeys) {
			this.exchange = exchange;
			this.routingKeys = List.copyOf(routingKeys);
			return this;
		}

		/**
		 * Sets the delays to have a retry queue for. Replaces an earlier call.
		 * @param delays distinct, as {@link DelayLevel} allows them, in any order
		 * @return this builder
		 */
		public Builder delays(Collection<Duration> delays) {
			this.delays = List.copyOf(delays);
			return this;
		}

		/**
		 * Overrides derived names. Replaces an earlier call.
		 * @param names the names
		 * @return this builder
		 */
		public Builder names(TopologyNames names) {
			this.names = names;
			return this;
		}

		/**
		 * Builds the topology.
		 * @return the topology
		 * @throws InvalidTopologyException if it can't work
		 */
		public MessageTopology build() {
			return new MessageTopology(this);
		}

	}

}
