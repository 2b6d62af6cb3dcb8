/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.topology;

import java.time.Duration;
import java.util.List;

import io.github.rabbitretry.topology.DelayRoute;
import org.jspecify.annotations.Nullable;

/**
 * The whole topology of one message type. For a work queue {@code Q}: <pre>
 * Q                 the work queue; what the broker dead-letters goes to Q.dlx
 * Q.retry           direct exchange: into the retry queues, and from them back to Q
 * Q.retry.10s ...   one queue for each delay level, with one fixed time to live
 * Q.dlx             direct exchange: to the dead-letter queue, the parking lot and the quarantine
 * Q.dlq             what the broker dead-lettered, until it is parked
 * Q.parking-lot     what waits for people
 * Q.quarantine      if asked for: what consumers died with, to be handled apart from others
 * </pre> Any other delay is composed of these, unless it has to be exact or would take
 * too many of them: then messages wait on the {@link DelayLadder} of the virtual host.
 * With jitter, they wait for a random time on the ladder before they come into the queue
 * of their level. With {@link RetryQueueScope#SHARED} there are no levels, and all
 * messages wait on the ladder. But for the ladder's, every binding's routing key is the
 * name of the queue it leads to. Messages come back to the work queue alone, never
 * through the producer's exchange, whose other queues would get duplicates. The default
 * exchange is not used: permission to write to it reaches every queue.
 * <p>
 * With {@link WorkQueueMode#EXISTING} the work queue is neither declared nor bound, so
 * the default exchange leads back to it: from the retry queues, and from {@code
 * Q.retry.return}, the queue at the end of the ladder. It finds the queue even if its
 * owner deletes it and declares it again, which takes bindings away.
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

	private final @Nullable Duration longestHold;

	private final WorkQueueMode workQueue;

	private final boolean quarantined;

	private final List<DelayLevel> levels;

	private final DelayRouter router;

	private final TopologyNames names;

	private final String ringExchange;

	private final String deadLetterExchange;

	private final RetryQueueScope ring;

	private final TopologyParts ownParts;

	private final List<BindingDefinition> formerBindings;

	private final List<FormerQueue> formerQueues;

	MessageTopology(MessageTopologyBuilder builder) {
		this.queue = builder.queue;
		this.queueType = builder.queueType;
		this.workQueue = builder.workQueue;
		this.deliveryLimit = builder.deliveryLimit;
		this.longestHold = builder.longestHold;
		this.quarantined = builder.quarantined && builder.queueType == QueueType.QUORUM;
		this.names = builder.names;
		this.formerQueues = builder.formerQueues.stream().map((name) -> new FormerQueue(name, this.names)).toList();
		this.ringExchange = named(this.names.ringExchange(), "retry");
		this.deadLetterExchange = named(this.names.deadLetterExchange(), "dlx");
		this.ring = builder.ring;
		DelayLevels delays = new DelayLevels((this.ring == RetryQueueScope.PER_TYPE) ? builder.delays : List.of());
		this.levels = delays.all();
		this.router = new DelayRouter(this, builder, delays);
		OwnParts own = new OwnParts(this, builder);
		this.ownParts = own.collect();
		this.formerBindings = own.formerBindings();
		new TopologyValidator(this, builder).check();
	}

	/**
	 * Starts a topology.
	 * @param queue the work queue
	 * @return a builder with quorum queues, a delivery limit of 5 and no delay levels
	 */
	public static MessageTopologyBuilder of(String queue) {
		return new MessageTopologyBuilder(queue);
	}

	public String queue() {
		return this.queue;
	}

	/** The type of all queues but the ladder's and an existing work queue. */
	public QueueType queueType() {
		return this.queueType;
	}

	/** Whether the work queue is another's, who declares and binds it. */
	public boolean hasExistingQueue() {
		return this.workQueue == WorkQueueMode.EXISTING;
	}

	public RetryQueueScope ring() {
		return this.ring;
	}

	/** The delay levels, shortest first; none with {@link RetryQueueScope#SHARED}. */
	public List<DelayLevel> levels() {
		return this.levels;
	}

	/** The retry queue of a level, whose name is its routing key too. */
	public String retryQueue(DelayLevel level) {
		return retryQueue(level.label());
	}

	private String retryQueue(String suffix) {
		return named(this.names.retryPrefix(), "retry") + "." + suffix;
	}

	/** The exchange that leads into the retry queues, and back to the work queue. */
	public String ringExchange() {
		return this.ringExchange;
	}

	/** The exchange that leads to the dead-letter queue and to the parking lot. */
	public String deadLetterExchange() {
		return this.deadLetterExchange;
	}

	public String deadLetterQueue() {
		return named(this.names.deadLetterQueue(), "dlq");
	}

	public String parkingLot() {
		return named(this.names.parkingLot(), "parking-lot");
	}

	/** The queue of messages that consumers died with, if {@link #quarantined()}. */
	public String quarantine() {
		return named(this.names.quarantine(), "quarantine");
	}

	public boolean quarantined() {
		return this.quarantined;
	}

	/** How long consumers may hold a delivery, or {@code null} if that is not known. */
	public @Nullable Duration longestHold() {
		return this.longestHold;
	}

	private String named(@Nullable String name, String suffix) {
		return (name != null) ? name : this.queue + "." + suffix;
	}

	/**
	 * How often the broker delivers a message from the dead-letter queue that is never
	 * settled, before it moves it to {@link DelayLadder#UNROUTABLE}. RabbitMQ 4.3 goes on
	 * counting from what it counted in the work queue. Classic queues don't count.
	 * @return more than the delivery limit
	 */
	public int deadLetterDeliveries() {
		return this.deliveryLimit + DEAD_LETTER_DELIVERIES;
	}

	/** Whether messages come back from waiting through an exchange. */
	public boolean isRingExchange(String exchange) {
		return exchange.equals(ringExchange()) || DelayLadder.hasExchange(exchange);
	}

	/**
	 * Whether a message that came through an exchange was here before: it leads back from
	 * waiting, or into quarantine, and none but ours is published to it.
	 */
	public boolean bringsBack(String exchange) {
		return isRingExchange(exchange) || exchange.equals(deadLetterExchange())
				|| this.formerQueues.stream().anyMatch((former) -> former.bringsBack(exchange));
	}

	/** Which queues were the work queue before, consumed until they are empty. */
	public List<FormerQueue> formerQueues() {
		return this.formerQueues;
	}

	/** Where the broker moved dead letters before; none of these queues may exist. */
	public List<String> formerDeadLetterQueues() {
		return this.formerQueues.stream().map(FormerQueue::deadLetterQueue).toList();
	}

	/** Bindings of former work queues, to remove once the work queue's own are there. */
	public List<BindingDefinition> formerBindings() {
		return this.formerBindings;
	}

	/** Whether a queue is the work queue or the quarantine, now or before. */
	public boolean handles(String name) {
		return name.equals(this.queue) || this.quarantined && name.equals(quarantine()) || this.formerQueues.stream()
			.anyMatch((former) -> name.equals(former.queue()) || this.quarantined && name.equals(former.quarantine()));
	}

	/** Whether a queue is the work queue, or was it before. */
	public boolean isWorkQueue(@Nullable String name) {
		return this.queue.equals(name) || this.formerQueues.stream().anyMatch((former) -> former.queue().equals(name));
	}

	/**
	 * Whether messages may wait on the ladder; else delays are composed of the levels.
	 */
	public boolean hasLadder() {
		return ladderLevels() > 0;
	}

	/** How many levels of the ladder there have to be. */
	int ladderLevels() {
		return this.router.ladderLevels();
	}

	/**
	 * The way to wait for a delay, or for the first part of one that is composed of
	 * levels.
	 * @param delay how long to wait; {@link DelayRoute#delay()} may be shorter
	 * @return the way
	 * @throws IllegalStateException if there are neither levels nor a ladder
	 */
	public DelayRoute route(Duration delay) {
		return this.router.route(delay);
	}

	/**
	 * How long a message waits for a delay altogether, sent on waiting as often as it has
	 * to be.
	 * @param delay how long it has to wait
	 * @return the delay, or more by less than the shortest level or a second
	 */
	public Duration waitingTime(Duration delay) {
		return this.router.waitingTime(delay);
	}

	/**
	 * The way straight into the work queue, past the producer's exchange. Unlike the
	 * ladder's end, it returns a message if the queue is not there.
	 */
	public DelayRoute directRoute() {
		return new DelayRoute(hasExistingQueue() ? DEFAULT_EXCHANGE : ringExchange(), this.queue, Duration.ZERO);
	}

	/**
	 * The queue to which the broker moves dead letters that no consumer can receive, or
	 * that expired by the time to live of a policy. Unless the ladder has it, it is
	 * declared and bound when there is such a message; until it is, a quorum dead-letter
	 * queue keeps the message.
	 * @return the queue, declared the same way by every service
	 */
	public QueueDefinition lastQueue() {
		return DelayLadder.lastQueue();
	}

	/** A classic queue drops what it can't dead-letter. */
	boolean needsLastQueue() {
		return hasLadder() || this.queueType == QueueType.CLASSIC;
	}

	/** The way to the last queue. */
	public BindingDefinition lastQueueBinding() {
		return BindingDefinition.toQueue(deadLetterExchange(), this.queue + ".undeliverable", DelayLadder.UNROUTABLE);
	}

	/**
	 * All exchanges, the ladder's included, and the producer's if it is to be declared.
	 */
	public List<ExchangeDefinition> exchanges() {
		return TopologyParts.of(List.of(this)).exchanges();
	}

	/** All queues, the ladder's included. */
	public List<QueueDefinition> queues() {
		return TopologyParts.of(List.of(this)).queues();
	}

	/** The queues that no other topology may have: all but the ladder's. */
	public List<QueueDefinition> ownQueues() {
		return ownParts().queues();
	}

	/** Whether a queue is the work queue or belongs to it, now or by other settings. */
	public boolean hasQueue(String name) {
		return name.startsWith(retryQueue(""))
				|| List.of(this.queue, deadLetterQueue(), parkingLot(), quarantine()).contains(name);
	}

	public List<BindingDefinition> bindings() {
		return TopologyParts.of(List.of(this)).bindings();
	}

	/** All that is there for this message type alone, in the order of declaration. */
	TopologyParts ownParts() {
		return this.ownParts;
	}

	/**
	 * The queue that the ladder leads to. Its keys end with this queue's own name: a work
	 * queue that was declared first and is taken as it is later keeps its binding, and
	 * would get each message a second time.
	 */
	String endOfLadder() {
		// the ladder's routing keys are no queue's name: something has to set another
		return hasExistingQueue() ? retryQueue("return") : this.queue;
	}

}
