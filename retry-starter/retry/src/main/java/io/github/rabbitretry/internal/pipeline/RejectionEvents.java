/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.pipeline;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.classify.Instruction;
import io.github.rabbitretry.classify.Reasons;
import io.github.rabbitretry.decision.Decision;
import io.github.rabbitretry.internal.delivery.Delivery;
import io.github.rabbitretry.internal.handover.HandoverCallback;
import io.github.rabbitretry.internal.handover.OutboundMessage;
import io.github.rabbitretry.internal.logging.RateLimitedLog;
import io.github.rabbitretry.internal.message.AppHeaders;
import io.github.rabbitretry.internal.message.ConsumerIdentity;
import io.github.rabbitretry.internal.message.HeaderText;
import io.github.rabbitretry.internal.message.OutboundProperties;
import io.github.rabbitretry.internal.message.ReceivedMessage;
import io.github.rabbitretry.internal.policy.ExceptionTexts;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.policy.RejectionTarget;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.rabbit.support.DefaultMessagePropertiesConverter;
import org.springframework.amqp.support.converter.MessageConverter;

/**
 * Publishes events of business rejections.
 * <p>
 * They say where the message came from in headers of their own. Those of a retried
 * message would be believed by the policy of the consumer of the events: a first delivery
 * would count as a retry.
 */
public final class RejectionEvents {

	private static final Log logger = LogFactory.getLog(RejectionEvents.class);

	private static final RateLimitedLog noTarget = new RateLimitedLog(logger, Duration.ofSeconds(30));

	private static final RateLimitedLog notConverted = new RateLimitedLog(logger, Duration.ofSeconds(30));

	private static final int LONGEST = 255;

	/** Continues a trace. */
	private static final String[] TRACE = { "traceparent", "tracestate", "baggage", "b3" };

	private final MessageConverter converter;

	private final ConsumerIdentity identity;

	/**
	 * Creates the publisher.
	 * @param converter converts what handlers give as events
	 * @param identity who handles the messages
	 */
	public RejectionEvents(MessageConverter converter, ConsumerIdentity identity) {
		this.converter = converter;
		this.identity = identity;
	}

	/**
	 * Begins to hand the event of a rejection over.
	 * @param delivery the rejected delivery
	 * @param reject why, and with which event
	 * @param callback the callback to notify
	 * @return {@code null}, or what happens instead if there is no event to publish
	 */
	Decision.@Nullable Park begin(Delivery delivery, Decision.Reject reject, HandoverCallback callback) {
		RejectionTarget target = delivery.policy().rejection();
		if (target == null) {
			return new Decision.Park(reject.reason(), reject.failureClass(), reject.reason());
		}
		OutboundMessage copy;
		try {
			copy = write(delivery, reject, target);
		}
		catch (Exception | LinkageError | StackOverflowError ex) {
			// its text may quote the event
			notConverted.warn(() -> "The event of a rejected message of '%s' can't be converted (%s); it is parked"
				.formatted(delivery.messageType(), ex.getClass().getName()));
			if (delivery.policy().exceptionTexts() == ExceptionTexts.FULL) {
				logger.debug("An event can't be converted", ex);
			}
			return new Decision.Park(Reasons.EVENT_CONVERSION_FAILED, FailureClass.PERMANENT_TECHNICAL,
					reject.reason());
		}
		Optional<String> problem = delivery.handOver(copy, callback);
		if (problem.isPresent()) {
			notConverted.warn(() -> "The event of a rejected message of '%s' can't be published (%s); it is parked"
				.formatted(delivery.messageType(), problem.get()));
			return new Decision.Park(Reasons.UNPUBLISHABLE, FailureClass.PERMANENT_TECHNICAL, reject.reason());
		}
		return null;
	}

	/**
	 * Says why a message is parked that its handler rejected.
	 * @param policy the message type's policy
	 * @param instruction what the handler asked for
	 */
	static void warnWithoutTarget(MessagePolicy policy, @Nullable Instruction instruction) {
		if (instruction instanceof Instruction.Reject && policy.rejection() == null) {
			noTarget.warn(
					() -> ("A message of '%s' was rejected by the business, and is parked since no exchange is configured for the event: "
							+ "set rabbit-retry.message-policies.%s.rejection.exchange")
						.formatted(policy.messageType(), policy.messageType()));
		}
	}

	private OutboundMessage write(Delivery delivery, Decision.Reject reject, RejectionTarget target) {
		ReceivedMessage received = delivery.received();
		Map<String, Object> headers = headers(delivery, reject);
		Object event = reject.event();
		BasicProperties own = received.properties();
		byte[] body = received.body();
		if (event == null) {
			own = own.builder().headers(withoutOrigin(own.getHeaders())).messageId(null).replyTo(null).build();
		}
		else {
			Message message = (event instanceof Message ready) ? ready
					: this.converter.toMessage(event, new MessageProperties());
			own = new DefaultMessagePropertiesConverter().fromMessageProperties(message.getMessageProperties(),
					StandardCharsets.UTF_8.name());
			own = own.builder().headers(traced(own.getHeaders(), received.properties().getHeaders())).build();
			body = message.getBody();
		}
		BasicProperties properties = OutboundProperties.of(own, headers, delivery.frameMax()).properties();
		return new OutboundMessage(target.exchange(), target.routingKey(), identified(properties, delivery, headers),
				body, target.mandatory());
	}

	private Map<String, Object> headers(Delivery delivery, Decision.Reject reject) {
		ReceivedMessage received = delivery.received();
		Map<String, Object> headers = new LinkedHashMap<>(16);
		headers.put(AppHeaders.REJECTION_REASON, reject.reason());
		headers.put(AppHeaders.REJECTION_CLASS, reject.failureClass().label());
		headers.put(AppHeaders.REJECTED_AT, delivery.now().toString());
		headers.put(AppHeaders.REJECTED_BY, HeaderText.bounded(this.identity.consumer(), LONGEST));
		headers.put(AppHeaders.REJECTED_TYPE, HeaderText.bounded(delivery.messageType(), LONGEST));
		headers.put(AppHeaders.REJECTED_ATTEMPT, delivery.history().attempt());
		headers.put(AppHeaders.REJECTED_QUEUE, delivery.policy().queue());
		boolean fromRing = delivery.policy().topology().isRingExchange(received.exchange());
		origin(headers, AppHeaders.REJECTED_MESSAGE_ID, received, AppHeaders.ORIGIN_MESSAGE_ID,
				received.properties().getMessageId());
		origin(headers, AppHeaders.REJECTED_EXCHANGE, received, AppHeaders.ORIGIN_EXCHANGE,
				fromRing ? null : received.exchange());
		origin(headers, AppHeaders.REJECTED_ROUTING_KEY, received, AppHeaders.ORIGIN_ROUTING_KEY,
				fromRing ? null : received.routingKey());
		return headers;
	}

	private static void origin(Map<String, Object> headers, String name, ReceivedMessage received, String origin,
			@Nullable String otherwise) {
		Map<String, Object> before = received.properties().getHeaders();
		String first = HeaderText.of((before != null) ? before.get(origin) : null);
		String text = (first != null) ? first : otherwise;
		if (text != null) {
			headers.put(name, HeaderText.bounded(text, LONGEST));
		}
	}

	/** The same id for the same message, so that a duplicate can be known. */
	private static BasicProperties identified(BasicProperties event, Delivery delivery, Map<String, Object> headers) {
		BasicProperties rejected = delivery.received().properties();
		BasicProperties.Builder builder = event.builder();
		String id = (String) headers.get(AppHeaders.REJECTED_MESSAGE_ID);
		if (event.getMessageId() == null && id != null) {
			String name = delivery.policy().queue() + " rejected " + id;
			builder.messageId(UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).toString());
		}
		if (event.getCorrelationId() == null) {
			builder.correlationId((rejected.getCorrelationId() != null) ? rejected.getCorrelationId() : id);
		}
		return builder.build();
	}

	private static @Nullable Map<String, Object> withoutOrigin(@Nullable Map<String, Object> before) {
		if (before == null) {
			return null;
		}
		Map<String, Object> headers = new HashMap<>(before);
		headers.keySet().removeIf((name) -> name.startsWith(AppHeaders.PREFIX + "origin-"));
		return headers;
	}

	private static Map<String, Object> traced(@Nullable Map<String, Object> own,
			@Nullable Map<String, Object> rejected) {
		Map<String, Object> headers = (own != null) ? new HashMap<>(own) : new HashMap<>();
		for (String name : TRACE) {
			Object value = (rejected != null) ? rejected.get(name) : null;
			if (value != null) {
				headers.putIfAbsent(name, value);
			}
		}
		return headers;
	}

}
