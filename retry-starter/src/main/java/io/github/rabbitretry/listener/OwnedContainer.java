/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.listener;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import com.rabbitmq.client.Channel;
import io.github.rabbitretry.classify.CauseChain;
import io.github.rabbitretry.decision.Decision;
import io.github.rabbitretry.handover.HandoverLanes;
import io.github.rabbitretry.policy.MessagePolicy;
import io.github.rabbitretry.topology.DeliveryHistory;
import org.aopalliance.intercept.MethodInvocation;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;

/**
 * A listener container whose deliveries are settled here.
 */
final class OwnedContainer {

	private static final Log logger = LogFactory.getLog("io.github.rabbitretry.decisions");

	private final AbstractMessageListenerContainer container;

	private final ContainerSettings settings;

	private final Map<String, OwnedQueue> queues;

	private final HandoverLanes lanes;

	private final @Nullable AbstractMessageListenerContainer beside;

	private final StopGate gate = new StopGate();

	OwnedContainer(AbstractMessageListenerContainer container, ContainerSettings settings,
			Map<String, OwnedQueue> queues, HandoverLanes lanes, @Nullable AbstractMessageListenerContainer beside) {
		this.container = container;
		this.settings = settings;
		this.queues = queues;
		this.lanes = lanes;
		this.beside = beside;
	}

	ListenerCall call(MethodInvocation invocation, Channel channel, Message message) {
		return new ListenerCall(invocation, channel, message, this.settings);
	}

	@Nullable OwnedQueue queue(@Nullable String name) {
		return this.queues.get(name);
	}

	/**
	 * Waits while deliveries are held back. A container that runs beside another one
	 * handles nothing while that one does not; until it is stopped too, it holds what it
	 * has.
	 * @return {@code false} if the delivery is to be left to the container's stop
	 */
	boolean passGate() {
		boolean besideRan = this.beside == null || this.beside.isActive();
		this.gate.pass(this.container);
		if (this.beside == null || (besideRan && stopping())) {
			// both are being stopped; to give it back would count as a death of its
			// consumer
			return true;
		}
		while (!this.beside.isActive() && this.container.isActive()) {
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
		}
		return this.beside.isActive();
	}

	boolean stopping() {
		return !this.container.isActive();
	}

	/**
	 * To be called by the listener's thread once a hand-over has begun. While the
	 * container stops, or is about to, that thread's return closes the channel, so it
	 * waits then, and only then, for the confirm.
	 */
	void settled() {
		if (this.gate.isClosed() || stopping()) {
			this.lanes.awaitIdle();
		}
	}

	/** Holds new deliveries back until {@link #resume()}, or the container's stop. */
	void hold() {
		this.gate.close();
	}

	void resume() {
		this.gate.open();
	}

	/** Without message, payload or the exception's text, which may quote the payload. */
	void log(MessagePolicy policy, DeliveryHistory history, Decision decision, Throwable failure) {
		if (!logger.isDebugEnabled() && decision instanceof Decision.Retry) {
			return;
		}
		String text = "%s failed at attempt %d of %d and is decided: %s (%s)".formatted(policy.messageType(),
				history.attempt(), policy.brokerAttempts(), decision, CauseChain.root(failure).getClass().getName());
		if (decision instanceof Decision.Retry) {
			logger.debug(text);
		}
		else {
			logger.info(text);
		}
	}

}
