/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.container;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;

import com.rabbitmq.client.Channel;
import io.github.rabbitretry.internal.acknowledgement.Acknowledgement;
import io.github.rabbitretry.internal.handover.ConfirmedPublishers;
import io.github.rabbitretry.internal.acknowledgement.DeliveryChannel;
import io.github.rabbitretry.internal.acknowledgement.DeliveryChannels;
import io.github.rabbitretry.internal.invocation.AsyncResult;
import io.github.rabbitretry.internal.invocation.ContainerSettings;
import io.github.rabbitretry.internal.invocation.HandlerTimeout;
import io.github.rabbitretry.internal.invocation.ListenerCall;
import io.github.rabbitretry.internal.message.ReceivedMessage;
import io.github.rabbitretry.internal.outage.CircuitCall;
import io.github.rabbitretry.internal.outage.Dependency;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageListenerContainer;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;

/**
 * A listener container whose deliveries are settled here.
 */
public final class ManagedContainer {

	private final String listener;

	private final AbstractMessageListenerContainer container;

	private final ContainerSettings settings;

	private final Map<String, ManagedQueue> queues;

	private final ConfirmedPublishers publishers;

	private final @Nullable AbstractMessageListenerContainer beside;

	private final DeliveryGate gate = new DeliveryGate();

	/** Touched by the watcher's thread alone; 0 while the container runs. */
	private long stopSeenAt;

	private final DeliveryChannels channels;

	private final ContainerPause pause;

	/** What it holds in order, or {@code null} if it keeps no order. */
	private final @Nullable HeldDeliveries held;

	/** Before another one was put around it. */
	private final ConnectionFactory connectionFactory;

	public ManagedContainer(String listener, AbstractMessageListenerContainer container, ContainerSettings settings,
			Map<String, ManagedQueue> queues, ConfirmedPublishers publishers,
			@Nullable AbstractMessageListenerContainer beside, @Nullable HeldDeliveries held) {
		this.listener = listener;
		this.held = held;
		this.channels = new DeliveryChannels((held != null) ? held::giveBack : null);
		this.connectionFactory = container.getConnectionFactory();
		this.container = container;
		this.settings = settings;
		this.queues = queues;
		this.publishers = publishers;
		this.beside = beside;
		this.pause = new ContainerPause(container, settings, this.gate, this.channels, this::awaitHandovers);
	}

	boolean is(MessageListenerContainer other) {
		return this.container == other;
	}

	/** How to name its listener. */
	String listener() {
		return this.listener;
	}

	/**
	 * The container.
	 * @return Spring AMQP's
	 */
	public AbstractMessageListenerContainer container() {
		return this.container;
	}

	ConnectionFactory connectionFactory() {
		return this.connectionFactory;
	}

	public ListenerCall call(MethodInvocation invocation, Channel channel, Message message) {
		return new ListenerCall(invocation, channel, message, this.settings);
	}

	/**
	 * The call of a delivery from a queue with a policy.
	 * @param invocation calls the listener
	 * @param channel the channel as the listener gets it
	 * @param deliveries the same
	 * @param message the message
	 * @return the call, whose handler gets a channel that settles nothing
	 */
	public ListenerCall call(MethodInvocation invocation, Channel channel, DeliveryChannel deliveries,
			Message message) {
		return call(invocation, deliveries.forHandlers(channel, this.listener), message);
	}

	/** As it was before it was taken over. */
	public ContainerSettings settings() {
		return this.settings;
	}

	/** Its queues that have a policy, by name. */
	public Map<String, ManagedQueue> queues() {
		return this.queues;
	}

	/**
	 * The channel of a delivery, the same for all that came through it.
	 * @param channel the channel as a listener gets it
	 * @param consumerTag whose delivery it is
	 * @return the channel, known until it closes
	 */
	public DeliveryChannel channel(Channel channel, @Nullable String consumerTag) {
		return this.channels.of(channel, consumerTag);
	}

	/**
	 * To be called when the broker cancelled a consumer: its threads are not to wait for
	 * anything, so that the container can begin again.
	 */
	void brokerCancelled(String consumerTag) {
		this.channels.brokerCancelled(consumerTag);
	}

	/**
	 * A handler may leave its thread interrupted. A container takes that for a request to
	 * stop, and its listener would never be called again.
	 */
	public void clearInterrupt() {
		if (!stopping()) {
			Thread.interrupted();
		}
	}

	public boolean passGate(DeliveryChannel channel) {
		return passGate(channel, () -> 1);
	}

	/**
	 * Waits while deliveries are held back. A container that runs beside another one
	 * handles nothing while that one does not; until it is stopped too, it holds what it
	 * has. What is held when the container stops is given back, if the broker does not
	 * count that as a failure.
	 * @param channel the channel that a delivery came through
	 * @param own how many deliveries wait for this, asked once the container stops
	 * @return {@code false} if the delivery is not to be handled: the broker has it
	 * again, or will have when the container closes the channel
	 */
	public boolean passGate(DeliveryChannel channel, IntSupplier own) {
		boolean besideRan = this.beside == null || this.beside.isActive();
		this.gate.pass(this.container, channel);
		if (waitsForBeside(channel)) {
			this.gate.holdWhile(() -> !(besideRan && stopping()) && waitsForBeside(channel));
		}
		if (giveBackOnStop(channel, own)) {
			return false;
		}
		// before RabbitMQ 4.3, to give back would count as a death of its consumer
		return this.beside == null || (besideRan && stopping()) || this.beside.isActive();
	}

	/**
	 * To be called when a delivery was handled, before the listener's thread takes the
	 * next one. A container that is being stopped does not call its listener any more, so
	 * this is the last chance to give back what is prefetched.
	 * @param channel the channel that the delivery came through
	 */
	public void leave(DeliveryChannel channel) {
		if (this.gate.isClosed()) {
			this.gate.pass(this.container, channel);
		}
		if (this.pause.goesOn()) {
			channel.awaitSettled(0, System.nanoTime() + this.pause.patience().toNanos());
		}
		giveBackOnStop(channel, () -> 0);
	}

	/**
	 * Gives all back if the container stops, once the copies of other deliveries of this
	 * channel are confirmed.
	 */
	private boolean giveBackOnStop(DeliveryChannel channel, IntSupplier own) {
		if (!stopping() || !channel.givesBackUncounted()) {
			return false;
		}
		if (!channel.open()) {
			return true;
		}
		long deadline = System.nanoTime() + this.pause.patience().toNanos();
		channel.awaitSettled(own.getAsInt(),
				this.pause.goesOn() ? deadline : Math.min(this.publishers.stopDeadline(), deadline));
		if (channel.consumers() < this.container.getQueueNames().length) {
			// a simple container's consumer of several queues: those that delivered
			// nothing are not known here. The container cancels all at this moment
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
		}
		channel.cancelConsumers(this.pause.patience());
		channel.giveBackAll();
		return true;
	}

	private boolean waitsForBeside(DeliveryChannel channel) {
		return this.beside != null && !this.beside.isActive() && this.container.isActive() && channel.worthWaiting();
	}

	/** With a result that comes later than the listener's return. */
	AsyncResult.Patience patienceWithResults() {
		return new AsyncResult.Patience(this::stopping, this.pause::patience);
	}

	/**
	 * To be called some times a second.
	 * @return whether what is prefetched behind a listener that goes on while its
	 * container stops, and that listener's own delivery, are to be given back before the
	 * container closes their channel
	 */
	public boolean overdue() {
		if (this.held != null) {
			this.held.closeOverdue();
			return false;
		}
		if (!stopping() || this.channels.isEmpty()) {
			this.stopSeenAt = 0;
			return false;
		}
		long now = System.nanoTime();
		if (this.stopSeenAt == 0) {
			this.stopSeenAt = now;
		}
		return now - this.stopSeenAt >= this.pause.patience().toNanos();
	}

	/**
	 * Gives back all that its consumers have, whichever listener goes on, unless it was
	 * started again meanwhile.
	 */
	public void giveBackOverdue() {
		if (stopping()) {
			this.channels.giveBackAll();
		}
	}

	public boolean stopping() {
		return !this.container.isActive();
	}

	/**
	 * To be called by the listener's thread once a hand-over has begun. While the
	 * container stops, or is about to, that thread's return closes the channel, so it
	 * waits then, and only then, for the confirm.
	 */
	public void settled() {
		if (!this.pause.goesOn() && (this.gate.isClosed() || stopping())) {
			this.publishers.awaitIdle();
		}
	}

	/**
	 * Waits while an earlier delivery of the same message is handled, until the container
	 * stops. What is in quarantine was delivered before.
	 * @param timeout knows what is handled
	 * @param message the message
	 * @param redelivered whether the broker delivered it before from this queue
	 * @param channel the channel that the delivery came through
	 * @return to be closed when it is handled, or {@code null} if it is not to be handled
	 */
	public HandlerTimeout.@Nullable Turn awaitTurn(HandlerTimeout timeout, ReceivedMessage message, boolean redelivered,
			DeliveryChannel channel) {
		HandlerTimeout.Turn turn = timeout.turn(message, redelivered || this.beside != null);
		boolean[] taken = { turn.take() };
		try {
			if (!taken[0]) {
				this.gate.holdWhile(() -> {
					if (stopping() || !channel.worthWaiting()) {
						return false;
					}
					taken[0] = turn.take();
					return !taken[0];
				});
			}
			return taken[0] ? turn : null;
		}
		finally {
			if (!taken[0]) {
				turn.close();
			}
		}
	}

	/**
	 * Waits while the circuit of a service lets no call through, until the container
	 * stops.
	 * @param dependency the service
	 * @param reasons the reasons that count for the message type
	 * @param channel the channel that the delivery came through
	 * @return the call, or {@code null} if the handler is not to be called
	 */
	public @Nullable CircuitCall awaitCall(Dependency dependency, Set<String> reasons, DeliveryChannel channel) {
		CircuitCall call = dependency.circuit().tryCall(reasons);
		if (call != null) {
			return call;
		}
		dependency.refused();
		AtomicReference<@Nullable CircuitCall> later = new AtomicReference<>();
		this.gate.holdWhile(() -> {
			later.set(dependency.circuit().tryCall(reasons));
			return later.get() == null && !stopping() && channel.worthWaiting();
		});
		return later.get();
	}

	/**
	 * Gives a delivery back that is not to be handled, with all else that the channel
	 * holds.
	 * @param channel the channel that the delivery came through
	 * @return {@code false} if the broker would count that, or the container goes on
	 */
	public boolean giveBack(DeliveryChannel channel) {
		return giveBackOnStop(channel, () -> 1) || !channel.open();
	}

	/**
	 * Its pause in an outage.
	 * @return the same at every call
	 */
	ContainerPause pause() {
		return this.pause;
	}

	/**
	 * Cancels the consumers of a delivery's channel for the pause to come. To be called
	 * before the delivery is settled: the broker would send the next one, which the
	 * container may leave behind when it stops, and that would count as a death.
	 * @param acknowledgement the delivery's
	 */
	public void cancelBeforePause(Acknowledgement acknowledgement) {
		if (this.beside == null) {
			this.pause.cancelConsumers(acknowledgement);
		}
	}

	/**
	 * Waits for the copies of deliveries whose threads returned before the pause: their
	 * originals are acknowledged on channels that the container is about to close. A
	 * thread that begins another one waits itself, see {@link #leave}.
	 */
	private void awaitHandovers() {
		long deadline = System.nanoTime() + this.pause.patience().toNanos();
		while (this.queues.values()
			.stream()
			.anyMatch((queue) -> this.publishers.pending(queue.policy().messageType()) > 0)
				&& deadline - System.nanoTime() > 0 && !Thread.currentThread().isInterrupted()) {
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
		}
	}

	/** Holds new deliveries back until {@link #resume()}, or the container's stop. */
	void hold() {
		this.gate.close();
	}

	void resume() {
		this.gate.open();
	}

}
