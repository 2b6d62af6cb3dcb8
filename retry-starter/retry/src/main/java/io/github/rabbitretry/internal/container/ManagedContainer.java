/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.container;

import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

import com.rabbitmq.client.Channel;
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

	/** The listener's own container, which this one runs beside; mostly {@code null}. */
	private final @Nullable AbstractMessageListenerContainer beside;

	private final DeliveryChannels channels;

	private final DeliveryGate gate;

	/** Before another one was put around it. */
	private final ConnectionFactory connectionFactory;

	/**
	 * Takes a container over.
	 * @param listener how to name its listener
	 * @param container the container
	 * @param settings as it was before
	 * @param queues its queues that have a policy, by name
	 * @param publishers where copies go
	 * @param beside the container that it runs beside, or {@code null}
	 * @param closer closes a channel whose deliveries are requeued in order, all at once;
	 * {@code null} if it keeps no order
	 */
	public ManagedContainer(String listener, AbstractMessageListenerContainer container, ContainerSettings settings,
			Map<String, ManagedQueue> queues, ConfirmedPublishers publishers,
			@Nullable AbstractMessageListenerContainer beside, @Nullable Consumer<Channel> closer) {
		this.listener = listener;
		this.channels = new DeliveryChannels(closer);
		this.connectionFactory = container.getConnectionFactory();
		this.container = container;
		this.settings = settings;
		this.queues = queues;
		this.beside = beside;
		this.gate = new DeliveryGate(container, settings, publishers, beside, this.channels);
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

	boolean stopsWith(Predicate<MessageListenerContainer> stopped) {
		return stopped.test(this.container) || this.beside != null && stopped.test(this.beside);
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

	/**
	 * What its deliveries wait for, and what becomes of them at a stop.
	 * @return the same at every call
	 */
	public DeliveryGate gate() {
		return this.gate;
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
		if (!this.gate.stopping()) {
			Thread.interrupted();
		}
	}

	/** With a result that comes later than the listener's return. */
	AsyncResult.Patience patienceWithResults() {
		return new AsyncResult.Patience(this.gate::stopping, this.gate::patience);
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
		boolean taken = false;
		try {
			taken = this.gate.await(channel, () -> turn.take() ? turn : null) != null;
			return taken ? turn : null;
		}
		finally {
			if (!taken) {
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
		return this.gate.await(channel, () -> dependency.circuit().tryCall(reasons));
	}

}
