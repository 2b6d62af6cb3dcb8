/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.topology;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import io.github.rabbitretry.topology.DelayRoute;
import org.jspecify.annotations.Nullable;

/**
 * The whole topology of one message type. For a work queue {@code Q}: <pre>
 * Q                 the work queue; what the broker dead-letters goes to Q.dlx
 * Q.retry           direct exchange: into the retry queues, and from them back to Q
 * Q.retry.10s ...   one queue for each delay level, with one fixed time to live
 * Q.delay. ...      a ladder for delays of any other length, see {@link DelayLadder}
 * Q.dlx             direct exchange: to the dead-letter queue, the parking lot and the quarantine
 * Q.dlq             what the broker dead-lettered, until it is parked
 * Q.parking-lot     what waits for people
 * Q.quarantine      if asked for: what consumers died with, to be handled apart from others
 * </pre> With {@link RetryQueueScope#SHARED} there is no {@code Q.retry} and no
 * {@code Q.delay}, but one ladder for all message types. But for the ladder's, every
 * binding's routing key is the name of the queue it leads to. Messages come back to the
 * work queue alone, never through the producer's exchange, whose other queues would get
 * duplicates. The default exchange is not used: permission to write to it reaches every
 * queue.
 * <p>
 * With {@link WorkQueue#EXISTING} the work queue is neither declared nor bound, so the
 * default exchange leads back to it: from the retry queues, and from {@code
 * Q.retry.return}, the queue at the end of a ladder. It finds the queue even if its owner
 * deletes it and declares it again, which takes bindings away.
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

	/** It leads to each queue by the queue's name. */
	static final String DEFAULT_EXCHANGE = "";

	/** Some of which are spent by consumers that met another message. */
	private static final int DEAD_LETTER_DELIVERIES = 20;

	private final String queue;

	private final QueueType queueType;

	private final int deliveryLimit;

	private final WorkQueue workQueue;

	private final boolean quarantined;

	private final @Nullable String exchange;

	private final @Nullable String rejectionExchange;

	private final Set<String> routingKeys;

	private final TreeSet<DelayLevel> levels = new TreeSet<>();

	private final TopologyNames names;

	private final RetryQueueScope ring;

	private final @Nullable DelayLadder ladder;

	private MessageTopology(Builder builder) {
		this.queue = builder.queue;
		this.queueType = builder.queueType;
		this.workQueue = builder.workQueue;
		this.deliveryLimit = builder.deliveryLimit;
		this.quarantined = builder.quarantined && builder.queueType == QueueType.QUORUM;
		this.exchange = builder.exchange;
		this.rejectionExchange = builder.rejectionExchange;
		this.routingKeys = builder.routingKeys.isEmpty() ? Set.of(builder.queue)
				: new LinkedHashSet<>(builder.routingKeys);
		this.names = builder.names;
		this.ring = builder.ring;
		this.ladder = ladder(builder);
		if (this.ring == RetryQueueScope.PER_TYPE) {
			addLevels(builder.delays);
		}
		validate(builder);
	}

	private static @Nullable DelayLadder ladder(Builder builder) {
		if (builder.ring == RetryQueueScope.SHARED) {
			// as high as it can be, so that all services on a broker agree about it
			return new DelayLadder(builder.sharedRingPrefix, builder.queueType, DelayLadder.LONGEST);
		}
		return (builder.longestDelay != null)
				? new DelayLadder(orElse(builder.names.delayPrefix(), builder.queue + ".delay"), builder.queueType,
						builder.longestDelay)
				: null;
	}

	private void addLevels(Collection<Duration> delays) {
		for (Duration delay : delays) {
			if (!this.levels.add(new DelayLevel(delay))) {
				throw new InvalidTopologyException("delay", delay, "must not be given twice", "Remove one of the two.");
			}
		}
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

	/**
	 * The type of all queues but an existing work queue.
	 * @return the type
	 */
	public QueueType queueType() {
		return this.queueType;
	}

	/**
	 * Whether the work queue is another's, who declares and binds it.
	 * @return whether it is {@link WorkQueue#EXISTING}
	 */
	public boolean hasExistingQueue() {
		return this.workQueue == WorkQueue.EXISTING;
	}

	public RetryQueueScope ring() {
		return this.ring;
	}

	/**
	 * The delay levels, shortest first.
	 * @return a copy; empty with {@link RetryQueueScope#SHARED}
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
	 * The exchange that leads into the retry queues, and back to the work queue.
	 * @return its name; nothing of that name exists with {@link RetryQueueScope#SHARED}
	 */
	public String ringExchange() {
		return orElse(this.names.ringExchange(), this.queue + ".retry");
	}

	/**
	 * Whether a message that came through an exchange came back from waiting.
	 * @param exchange the exchange that a message was received from
	 * @return {@code true} if it is the ring exchange or one of the ladder's
	 */
	public boolean isRingExchange(String exchange) {
		return exchange.equals(ringExchange()) || (this.ladder != null && this.ladder.hasExchange(exchange));
	}

	/**
	 * The ladder for delays that have no level of their own.
	 * @return the ladder, or empty if the topology has none
	 */
	public Optional<DelayLadder> ladder() {
		return Optional.ofNullable(this.ladder);
	}

	/**
	 * The way to wait for a delay: the level of that length, else the ladder. A level
	 * that is longer is taken where the ladder would round up to it anyway.
	 * @param delay how long to wait; beyond the ladder's length, or without a ladder, the
	 * route is shorter and its {@link DelayRoute#delay()} says so
	 * @return the way
	 * @throws IllegalStateException if there are neither levels nor a ladder
	 */
	public DelayRoute route(Duration delay) {
		DelayLevel asked = DelayLevel.ofAtLeast(delay);
		DelayLevel enough = this.levels.ceiling(asked);
		if (enough != null && enough.delay().equals(delay)) {
			return through(enough);
		}
		if (this.ladder == null) {
			DelayLevel level = (enough != null && enough.equals(asked)) ? enough : this.levels.floor(asked);
			return through((level != null) ? level : shortest());
		}
		DelayRoute route = this.ladder.route(this.queue, delay);
		return (enough != null && enough.delay().compareTo(route.delay()) <= 0) ? through(enough) : route;
	}

	/** The ladder's routing keys are no queue's name, so something has to set another. */
	boolean hasReturnQueue() {
		return hasExistingQueue() && this.ladder != null;
	}

	String returnQueue() {
		return orElse(this.names.retryPrefix(), this.queue + ".retry") + ".return";
	}

	/**
	 * The way straight into the work queue, past the producer's exchange.
	 * @return where to publish to, with no delay
	 */
	public DelayRoute directRoute() {
		if (hasExistingQueue()) {
			return new DelayRoute(DEFAULT_EXCHANGE, this.queue, Duration.ZERO);
		}
		return (this.ring == RetryQueueScope.SHARED && this.ladder != null) ? this.ladder.directRoute(this.queue)
				: new DelayRoute(ringExchange(), this.queue, Duration.ZERO);
	}

	private DelayLevel shortest() {
		if (this.levels.isEmpty()) {
			throw new IllegalStateException("queue '%s' has nothing to wait in".formatted(this.queue));
		}
		return this.levels.first();
	}

	private DelayRoute through(DelayLevel level) {
		return new DelayRoute(ringExchange(), retryQueue(level), level.delay());
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

	/**
	 * How often the broker delivers a message from the dead-letter queue that is never
	 * settled, before it moves it to {@link #undeliverable()}. RabbitMQ 4.3 goes on
	 * counting from what it counted in the work queue. Classic queues don't count.
	 * @return more than the delivery limit
	 */
	public int deadLetterDeliveries() {
		return this.deliveryLimit + DEAD_LETTER_DELIVERIES;
	}

	/**
	 * The last queue, which nobody consumes: it takes messages whose delivery from the
	 * dead-letter queue ends consumers time and again.
	 * @return its name
	 */
	public String undeliverable() {
		return orElse(this.names.undeliverable(), this.queue + ".undeliverable");
	}

	public String parkingLot() {
		return orElse(this.names.parkingLot(), this.queue + ".parking-lot");
	}

	/**
	 * The queue of messages that consumers died with.
	 * @return its name; nothing of that name exists unless {@link #quarantined()}
	 */
	public String quarantine() {
		return orElse(this.names.quarantine(), this.queue + ".quarantine");
	}

	public boolean quarantined() {
		return this.quarantined;
	}

	/**
	 * All exchanges, the ladder's included, and the producer's if it is to be declared.
	 * @return the exchanges, in the order of their declaration
	 */
	public List<ExchangeModel> exchanges() {
		return parts().exchanges();
	}

	/**
	 * All queues, the ladder's included. A queue stands after those that it dead-letters
	 * to.
	 * @return the queues, in the order of their declaration
	 */
	public List<QueueModel> queues() {
		return parts().queues();
	}

	/**
	 * The queues that no other topology may have: all but those of a shared ladder.
	 * @return the queues
	 */
	public List<QueueModel> ownQueues() {
		return ((this.ring == RetryQueueScope.SHARED) ? besideLadder() : parts()).queues();
	}

	/**
	 * All bindings.
	 * @return the bindings, in the order of their declaration
	 */
	public List<BindingModel> bindings() {
		return parts().bindings();
	}

	TopologyParts parts() {
		return (this.ladder != null)
				? besideLadder().and(this.ladder.parts(this.queue, hasReturnQueue() ? returnQueue() : this.queue))
				: besideLadder();
	}

	TopologyParts besideLadder() {
		return new FixedDeclarations(this, this.deliveryLimit, this.exchange, this.routingKeys, this.rejectionExchange)
			.parts();
	}

	private void validate(Builder builder) {
		if (this.deliveryLimit < 1) {
			throw new InvalidTopologyException("delivery-limit", this.deliveryLimit, "must be 1 or more",
					"Use 5, the default, unless handling a message is known to kill its process.");
		}
		if (this.rejectionExchange != null
				&& (this.rejectionExchange.equals(deadLetterExchange()) || isRingExchange(this.rejectionExchange))) {
			throw new InvalidTopologyException("rejection.exchange", this.rejectionExchange,
					"is a direct exchange of the topology already", "Give events an exchange of their own.");
		}
		if (this.exchange != null && hasExistingQueue()) {
			throw new InvalidTopologyException("exchange", this.exchange,
					"would be declared and bound, but work-queue existing leaves the queue's bindings as they are",
					"Remove exchange and routing-keys: the queue keeps its bindings.");
		}
		if (this.exchange == null && !builder.routingKeys.isEmpty()) {
			throw new InvalidTopologyException("routing-keys", builder.routingKeys, "needs an exchange to bind to",
					"Set exchange too, or remove routing-keys.");
		}
		if (this.ring == RetryQueueScope.SHARED) {
			withoutEffect("names.retry-prefix", this.names.retryPrefix());
			withoutEffect("names.ring-exchange", this.names.ringExchange());
			withoutEffect("names.delay-prefix", this.names.delayPrefix());
		}
		new NameCheck(this).check();
	}

	private static void withoutEffect(String setting, @Nullable String name) {
		if (name != null) {
			throw new InvalidTopologyException(setting, name, "names nothing where the ring is shared",
					"Remove it, or use a ring per type.");
		}
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

		private WorkQueue workQueue = WorkQueue.DECLARE;

		private boolean quarantined;

		private @Nullable String exchange;

		private @Nullable String rejectionExchange;

		private List<String> routingKeys = List.of();

		private List<Duration> delays = List.of();

		private TopologyNames names = TopologyNames.DERIVED;

		private RetryQueueScope ring = RetryQueueScope.PER_TYPE;

		private String sharedRingPrefix = DelayLadder.SHARED_PREFIX;

		private @Nullable Duration longestDelay;

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
		 * Sets who declares the work queue. Replaces {@link WorkQueue#DECLARE}.
		 * @param workQueue with {@link WorkQueue#EXISTING}, delivery limit and queue type
		 * have no effect on the work queue, and it can't be bound
		 * @return this builder
		 */
		public Builder workQueue(WorkQueue workQueue) {
			this.workQueue = workQueue;
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
		 * Sets whether there is a queue for messages that consumers died with. Replaces
		 * none; without effect on classic queues, which don't count such deaths.
		 * @param quarantined whether there is one
		 * @return this builder
		 */
		public Builder quarantine(boolean quarantined) {
			this.quarantined = quarantined;
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
		 * Declares the exchange of business rejections too, as a topic exchange that
		 * others bind to. Replaces none, and an earlier call.
		 * @param exchange its name, which may be that of {@link #boundTo}, or
		 * {@code null} for none
		 * @return this builder
		 */
		public Builder rejectionExchange(@Nullable String exchange) {
			this.rejectionExchange = exchange;
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
		 * Sets where messages wait. Replaces {@link RetryQueueScope#PER_TYPE}.
		 * @param ring with {@link RetryQueueScope#SHARED}, delay levels and longest delay
		 * have no effect: the shared ladder takes every delay
		 * @return this builder
		 */
		public Builder ring(RetryQueueScope ring) {
			this.ring = ring;
			return this;
		}

		/**
		 * Sets what the names of the shared ladder begin with. Replaces
		 * {@value DelayLadder#SHARED_PREFIX}.
		 * @param prefix the same for all who share, at most 180 bytes
		 * @return this builder
		 * @throws InvalidTopologyException if names can't begin so
		 */
		public Builder sharedRingPrefix(String prefix) {
			NameCheck.sharedRingPrefix(prefix);
			this.sharedRingPrefix = prefix;
			return this;
		}

		/**
		 * Sets the longest delay that may be asked for beside the delay levels, and adds
		 * a ladder for it. Replaces none, and no ladder.
		 * @param longestDelay positive, at most {@link DelayLadder#LONGEST}
		 * @return this builder
		 */
		public Builder longestDelay(@Nullable Duration longestDelay) {
			this.longestDelay = longestDelay;
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
