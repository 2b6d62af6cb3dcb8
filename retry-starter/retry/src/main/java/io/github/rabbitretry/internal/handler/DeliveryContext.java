/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.handler;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalLong;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.handler.RetryContext;
import io.github.rabbitretry.internal.message.DeliveryHistory;
import io.github.rabbitretry.internal.message.ReceivedMessage;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.topology.Usage;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * The context of a delivery of a managed listener. Made for each delivery, so it reads
 * nothing before it is asked.
 */
public final class DeliveryContext implements RetryContext {

	private static final ReceivedMessage NO_MESSAGE = new ReceivedMessage(new BasicProperties(), new byte[0], "", "",
			"");

	private static final ThreadLocal<Slot> SLOT = ThreadLocal.withInitial(Slot::new);

	private final String messageType;

	private final int maxAttempts;

	private final @Nullable Long maxDownstreamCalls;

	private final @Nullable Long maxCost;

	private final ReceivedMessage received;

	private final InstantSource clock;

	private final HandlerCall call;

	private @Nullable DeliveryHistory history;

	private @Nullable UsageTracker usageTracker;

	/** Touched by the listener's thread alone. */
	private @Nullable Throwable failure;

	/**
	 * Creates the context of a delivery.
	 * @param policy the message type's policy
	 * @param received the message as received
	 * @param clock what time it is
	 * @param call the calls for this delivery
	 */
	public DeliveryContext(MessagePolicy policy, ReceivedMessage received, InstantSource clock, HandlerCall call) {
		this(policy.messageType(), policy.brokerAttempts(), policy.budget().maxDownstreamCalls(),
				policy.budget().maxCost(), received, clock, call);
	}

	private DeliveryContext(String messageType, int maxAttempts, @Nullable Long maxDownstreamCalls,
			@Nullable Long maxCost, ReceivedMessage received, InstantSource clock, HandlerCall call) {
		this.messageType = messageType;
		this.maxAttempts = maxAttempts;
		this.maxDownstreamCalls = maxDownstreamCalls;
		this.maxCost = maxCost;
		this.received = received;
		this.clock = clock;
		this.call = call;
	}

	/**
	 * The context of a delivery that no policy covers.
	 * @return a context of a first attempt without bounds
	 */
	public static DeliveryContext uncovered() {
		return new DeliveryContext("none", 0, null, null, NO_MESSAGE, InstantSource.system(), () -> 0);
	}

	/**
	 * The context of the delivery that this thread handles.
	 * @return the context, or {@code null} on any other thread
	 */
	public static @Nullable DeliveryContext bound() {
		return SLOT.get().context;
	}

	/**
	 * Binds a context to this thread.
	 * @param context the context, or {@code null} for none
	 * @return what was bound before, to be bound again in the end
	 */
	public static @Nullable DeliveryContext bind(@Nullable DeliveryContext context) {
		Slot slot = SLOT.get();
		DeliveryContext before = slot.context;
		slot.context = context;
		return before;
	}

	/**
	 * To be called when the handler of this thread's delivery has failed, before anything
	 * makes a reply of that.
	 * @param failure what it threw
	 */
	public static void failed(Throwable failure) {
		DeliveryContext context = bound();
		if (context != null) {
			context.failure = failure;
		}
	}

	/**
	 * What the handler of this thread's delivery threw.
	 * @return the failure, once, or {@code null} if it returned
	 */
	public static @Nullable Throwable takeFailure() {
		DeliveryContext context = bound();
		Throwable taken = (context != null) ? context.failure : null;
		if (context != null) {
			context.failure = null;
		}
		return taken;
	}

	/**
	 * What the message's headers say, with what was spent since.
	 * @return the history
	 */
	public synchronized DeliveryHistory history() {
		return (this.usageTracker != null) ? read().with(this.usageTracker.usage()) : read();
	}

	/**
	 * What time it is.
	 * @return the current instant
	 */
	public Instant now() {
		return this.clock.instant();
	}

	private synchronized DeliveryHistory read() {
		if (this.history == null) {
			this.history = DeliveryHistory.read(this.received.headers(), now());
		}
		return this.history;
	}

	private synchronized UsageTracker usageTracker() {
		if (this.usageTracker == null) {
			this.usageTracker = new UsageTracker(this.messageType, this.maxDownstreamCalls, this.maxCost,
					read().usage());
		}
		return this.usageTracker;
	}

	@Override
	public int attempt() {
		return read().attempt();
	}

	@Override
	public int maxAttempts() {
		return this.maxAttempts;
	}

	@Override
	public int localAttempt() {
		return this.call.getAsInt();
	}

	@Override
	public int level() {
		return read().level();
	}

	@Override
	public Optional<Instant> firstFailureAt() {
		return Optional.ofNullable(read().firstFailureAt());
	}

	@Override
	public Duration age() {
		return firstFailureAt().map((first) -> Duration.between(first, now()))
			.filter((age) -> !age.isNegative())
			.orElse(Duration.ZERO);
	}

	@Override
	public Optional<String> lastReason() {
		return read().retried() ? Optional.of(this.received.lastFailure().reason()) : Optional.empty();
	}

	@Override
	public Optional<FailureClass> lastFailureClass() {
		return read().retried() ? Optional.of(this.received.lastFailure().failureClass()) : Optional.empty();
	}

	@Override
	public Usage usage() {
		return usageTracker().usage();
	}

	@Override
	public OptionalLong remainingDownstreamCalls() {
		return remaining(this.maxDownstreamCalls, usage().downstreamCalls());
	}

	@Override
	public OptionalLong remainingCost() {
		return remaining(this.maxCost, usage().cost());
	}

	private static OptionalLong remaining(@Nullable Long most, long spent) {
		return (most != null) ? OptionalLong.of(Math.max(0, most - spent)) : OptionalLong.empty();
	}

	@Override
	public void spendDownstreamCalls(long calls) {
		usageTracker().spendCalls(calls);
	}

	@Override
	public void spendCost(long units) {
		usageTracker().spendCost(units);
	}

	@Override
	public void extendTimeout(Duration more) {
		Assert.isTrue(!more.isNegative(),
				() -> "timeout can't be extended by %s, it must be 0 or more".formatted(more));
		this.call.extendTimeout(more);
	}

	/** Stays with its thread: writing to it is cheaper than setting a thread-local. */
	private static final class Slot {

		private @Nullable DeliveryContext context;

	}

}
