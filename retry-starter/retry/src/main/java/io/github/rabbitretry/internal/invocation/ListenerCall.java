/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.invocation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import com.rabbitmq.client.Channel;
import io.github.rabbitretry.deduplication.MessageDeduplicator;
import io.github.rabbitretry.internal.connection.FatalErrors;
import io.github.rabbitretry.internal.handler.HandlerCall;
import io.github.rabbitretry.internal.message.ReceivedMessage;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessagePostProcessor;
import org.springframework.amqp.core.MessagePropertiesBuilder;
import org.springframework.amqp.rabbit.batch.BatchingStrategy;
import org.springframework.aop.ProxyMethodInvocation;

/**
 * One delivery's call of its listener, with what the container would have done to the
 * message before its advice, and where a failure would have escaped: post-processing, and
 * taking a producer's batch apart. Can be run more than once.
 */
public final class ListenerCall implements HandlerCall {

	private final ProxyMethodInvocation invocation;

	private final Channel channel;

	private final Message message;

	private final ContainerSettings settings;

	private @Nullable Boolean divisible;

	private int runs;

	private @Nullable Once once;

	private boolean duplicate;

	private @Nullable HandlerTimeout timeout;

	private long firstRunAt;

	/** Other threads of the handler may extend it. */
	private volatile @Nullable TimedCall timed;

	public ListenerCall(MethodInvocation invocation, Channel channel, Message message, ContainerSettings settings) {
		this.invocation = (ProxyMethodInvocation) invocation;
		this.channel = channel;
		this.message = message;
		this.settings = settings;
	}

	/** The same for another message, or for this one as it is handled next. */
	public ListenerCall with(Message other) {
		return new ListenerCall(this.invocation, this.channel, other, this.settings);
	}

	/** The channel as the listener gets it. */
	public Channel channel() {
		return this.channel;
	}

	public Message message() {
		return this.message;
	}

	public boolean redelivered() {
		return Boolean.TRUE.equals(this.message.getMessageProperties().isRedelivered());
	}

	/**
	 * Whether the message is a producer's batch of messages that are each settled by
	 * itself.
	 * @return {@code true} if it is to be divided
	 */
	public boolean divisible() {
		Boolean known = this.divisible;
		if (known == null) {
			BatchingStrategy batching = this.settings.batchingStrategy();
			known = this.settings.dividesBatches() && batching != null
					&& batching.canDebatch(this.message.getMessageProperties());
			this.divisible = known;
		}
		return known;
	}

	/**
	 * Takes the message apart.
	 * @param received the message as received
	 * @return the messages in it, at least one
	 */
	public List<ProducerBatch.Part> divide(ReceivedMessage received) {
		return ProducerBatch.divide(this, received,
				Objects.requireNonNull(this.settings.batchingStrategy(), "it is divisible"));
	}

	/**
	 * Which run this is.
	 * @return 0 for the first
	 */
	@Override
	public int getAsInt() {
		return Math.max(0, this.runs - 1);
	}

	/**
	 * Has a message that was handled before not handled again.
	 * @param deduplicator knows which were
	 * @param queue the work queue
	 * @param messageId the message id
	 */
	public void deduplicateWith(MessageDeduplicator deduplicator, String queue, String messageId) {
		this.once = new Once(deduplicator, queue, messageId);
	}

	/** Whether the last run called no handler, since the message was handled before. */
	public boolean duplicate() {
		return this.duplicate;
	}

	/**
	 * Limits the time of each call of the handler.
	 * @param limit how long it may take
	 */
	public void limit(HandlerTimeout limit) {
		this.timeout = limit;
		this.firstRunAt = System.nanoTime();
	}

	@Override
	public void extendTimeout(Duration more) {
		TimedCall call = this.timed;
		if (call != null) {
			call.extend(more);
		}
	}

	/** Calls the listener, whose failure says what the message's policy has to know. */
	public void run() throws Throwable {
		try {
			runUnmanaged();
		}
		catch (Throwable ex) {
			throw ListenerFailures.of(ex, message(), this.settings.errorHandler());
		}
	}

	/** Calls the listener as if the message had no policy. */
	public void runUnmanaged() throws Throwable {
		if (this.once == null) {
			callListener();
			return;
		}
		this.duplicate = !this.once.deduplicator.handle(this.once.queue, this.once.messageId, this::callListener);
	}

	private void callListener() throws Throwable {
		this.runs++;
		Message current = processed();
		BatchingStrategy batching = this.settings.batchingStrategy();
		boolean batch = this.settings.dividesBatches() ? divisible()
				: batching != null && batching.canDebatch(current.getMessageProperties());
		if (batching == null || !batch) {
			if (this.settings.listensToBatches()) {
				runAlone(current);
			}
			else {
				proceed(current);
			}
			return;
		}
		List<Message> parts = ProducerBatch.parts(current, batching);
		if (this.settings.listensToBatches()) {
			proceed(parts);
			return;
		}
		for (Message part : parts) {
			proceed(part);
		}
	}

	private void runAlone(Message current) throws Throwable {
		try {
			runTogether(List.of(current));
		}
		catch (Throwable ex) {
			throw BatchFailures.alone(ex, current);
		}
	}

	/** The message as the listener gets it. */
	public Message processed() {
		Message current = this.message;
		if (!this.settings.postProcessors().isEmpty()) {
			// post-processors change properties in place, and may run again
			current = new Message(current.getBody(),
					MessagePropertiesBuilder.fromClonedProperties(current.getMessageProperties()).build());
			for (MessagePostProcessor postProcessor : this.settings.postProcessors()) {
				current = postProcessor.postProcessMessage(current);
			}
		}
		return current;
	}

	/**
	 * Calls a listener of batches with several messages, of which this call's is one.
	 * @param messages as the listener gets them
	 * @throws Throwable what it throws
	 */
	public void runTogether(List<Message> messages) throws Throwable {
		proceed(new ArrayList<>(messages));
	}

	/** The handler was called with this message, and others. */
	public void markInvoked() {
		this.runs++;
	}

	private void proceed(Object argument) throws Throwable {
		if (this.timeout != null) {
			proceed(argument, this.timeout.begin(this.firstRunAt));
		}
		else {
			callHandler(argument);
		}
	}

	private void proceed(Object argument, TimedCall call) throws Throwable {
		this.timed = call;
		try {
			callHandler(argument);
			call.returned();
		}
		catch (Throwable ex) {
			throw call.failed(ex);
		}
	}

	private void callHandler(Object argument) throws Throwable {
		try {
			this.invocation.invocableClone(this.channel, argument).proceed();
		}
		catch (OutOfMemoryError ex) {
			FatalErrors.endProcessUpon(ex);
			throw ex;
		}
	}

	/** Who knows whether the message was handled before, and by what. */
	private record Once(MessageDeduplicator deduplicator, String queue, String messageId) {
	}

}
