/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.delivery;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.internal.message.AppHeaders;
import io.github.rabbitretry.internal.message.AttemptHistory;
import io.github.rabbitretry.internal.message.ConsumerIdentity;
import io.github.rabbitretry.internal.message.DeliveryHistory;
import io.github.rabbitretry.internal.message.HeaderDepth;
import io.github.rabbitretry.internal.message.HeaderText;
import io.github.rabbitretry.internal.message.ReceivedMessage;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.topology.Usage;
import org.jspecify.annotations.Nullable;

/**
 * The headers that every copy carries, wherever it goes.
 */
public final class RetryHeaders {

	private static final int LONGEST = 255;

	private final ConsumerIdentity identity;

	private final String consumer;

	/**
	 * Creates the writer.
	 * @param identity who handles the messages
	 */
	public RetryHeaders(ConsumerIdentity identity) {
		this.identity = identity;
		this.consumer = AttemptHistory.consumer(identity.consumer());
	}

	/**
	 * Makes the headers of a copy.
	 * @param delivery the delivery
	 * @param attempt broker attempts made, this copy's included
	 * @param reason the last reason
	 * @param failureClass the last failure class
	 * @return the headers, to be added to
	 */
	public Map<String, Object> of(Delivery delivery, int attempt, String reason, FailureClass failureClass) {
		MessagePolicy policy = delivery.policy();
		DeliveryHistory history = delivery.history();
		Instant now = delivery.now();
		Map<String, Object> headers = new LinkedHashMap<>(32);
		Instant first = history.firstFailureAt();
		headers.put(AppHeaders.RETRY_ATTEMPT, attempt);
		headers.put(AppHeaders.RETRY_MAX, policy.brokerAttempts());
		headers.put(AppHeaders.RETRY_REASON, reason);
		headers.put(AppHeaders.RETRY_CLASS, failureClass.label());
		String at = now.toString();
		headers.put(AppHeaders.FIRST_FAILURE_AT, (first != null) ? first.toString() : at);
		headers.put(AppHeaders.LAST_FAILURE_AT, at);
		headers.put(AppHeaders.MESSAGE_TYPE, HeaderText.bounded(policy.messageType(), LONGEST));
		headers.put(AppHeaders.CONSUMER, HeaderText.bounded(this.identity.consumer(), LONGEST));
		headers.put(AppHeaders.OWNER, HeaderText.bounded(policy.owner(), LONGEST));
		Usage usage = history.usage();
		if (usage.downstreamCalls() > 0) {
			headers.put(AppHeaders.DOWNSTREAM_CALLS, usage.downstreamCalls());
		}
		if (usage.cost() > 0) {
			headers.put(AppHeaders.COST, usage.cost());
		}
		if (history.escalatedAt() != null) {
			headers.put(AppHeaders.ESCALATED_AT, history.escalatedAt().toString());
		}
		origin(headers, delivery);
		return headers;
	}

	/**
	 * Adds this attempt to the history.
	 * @param headers the headers to add to
	 * @param delivery the delivery
	 * @param reason why the attempt failed, or why none was made
	 * @param delay the delay before the next one, or {@code null} if the message is
	 * parked
	 */
	public void history(Map<String, Object> headers, Delivery delivery, String reason, @Nullable Duration delay) {
		Map<String, Object> received = delivery.received().properties().getHeaders();
		String before = HeaderText.of((received != null) ? received.get(AppHeaders.RETRY_HISTORY) : null);
		headers.put(AppHeaders.RETRY_HISTORY, AttemptHistory.with(before, delivery.now(),
				delivery.history().attempt() + 1, reason, delay, this.consumer));
	}

	/**
	 * Tells where and what a message was first.
	 * @param headers the headers to add to
	 * @param delivery the delivery
	 */
	public static void origin(Map<String, Object> headers, Delivery delivery) {
		MessagePolicy policy = delivery.policy();
		ReceivedMessage received = delivery.received();
		BasicProperties properties = received.properties();
		Map<String, Object> before = properties.getHeaders();
		boolean fromRing = policy.topology().isRingExchange(received.exchange());
		first(headers, before, AppHeaders.ORIGIN_EXCHANGE, fromRing ? null : received.exchange());
		first(headers, before, AppHeaders.ORIGIN_ROUTING_KEY, fromRing ? null : received.routingKey());
		first(headers, before, AppHeaders.ORIGIN_QUEUE, policy.queue());
		first(headers, before, AppHeaders.ORIGIN_MESSAGE_ID, properties.getMessageId());
		first(headers, before, AppHeaders.ORIGIN_EXPIRATION, properties.getExpiration());
		first(headers, before, AppHeaders.ORIGIN_USER_ID, properties.getUserId());
		Object copies = (before != null) ? before.get("CC") : null;
		first(headers, before, AppHeaders.ORIGIN_CC,
				(copies != null && !HeaderDepth.exceeded(copies)) ? copies.toString() : null);
	}

	/** What was written first stays. */
	private static void first(Map<String, Object> headers, @Nullable Map<String, Object> before, String name,
			@Nullable String value) {
		String old = HeaderText.of((before != null) ? before.get(name) : null);
		String first = (old != null) ? old : value;
		if (first != null) {
			headers.put(name, HeaderText.bounded(first, LONGEST));
		}
	}

}
