/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.deadletter;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.github.rabbitretry.decision.Decision;
import io.github.rabbitretry.internal.handover.Delivery;
import io.github.rabbitretry.internal.handover.OutboundMessage;
import io.github.rabbitretry.internal.logging.RateLimitedLog;
import io.github.rabbitretry.internal.management.Json;
import io.github.rabbitretry.internal.message.AppHeaders;
import io.github.rabbitretry.internal.message.HeaderText;
import io.github.rabbitretry.internal.message.LogText;
import io.github.rabbitretry.internal.message.OutboundMessageCheck;
import io.github.rabbitretry.internal.message.ReplayHeaders;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.policy.ParkReply;
import io.github.rabbitretry.internal.topology.DelayLadder;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.amqp.core.Address;

/**
 * Writes the error replies to requests that are parked. They say neither what the
 * exception says nor what the request holds. Their address is the sender's, and they are
 * published with this application's permissions: through the default exchange or an
 * exchange that the policy names, and never to a queue of the policies.
 */
public final class ParkReplies {

	private static final Log logger = LogFactory.getLog(ParkReplies.class);

	private static final int LONGEST = 255;

	private static final String DIRECT = "amq.rabbitmq.reply-to";

	/**
	 * What is no base64 makes RabbitMQ 4.0 close the whole connection, with the copies
	 * that are on their way.
	 */
	private static final Pattern DIRECT_REPLY_TO = Pattern
		.compile(Pattern.quote(DIRECT) + "(\\.(?=[^=])([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?){2}");

	private final RateLimitedLog refused = new RateLimitedLog(logger, Duration.ofSeconds(30));

	private final MessagePolicies policies;

	/**
	 * Creates it.
	 * @param policies whose queues get no replies
	 */
	public ParkReplies(MessagePolicies policies) {
		this.policies = policies;
	}

	/**
	 * Writes the reply.
	 * @param delivery the request's delivery
	 * @param park why it is parked
	 * @return the reply, or empty if none was asked for, the sender does not wait any
	 * more, or its address is refused
	 */
	Optional<OutboundMessage> to(Delivery delivery, Decision.Park park) {
		BasicProperties request = delivery.received().properties();
		String replyTo = request.getReplyTo();
		Map<String, Object> headers = request.getHeaders();
		boolean replayed = headers != null && headers.containsKey(ReplayHeaders.REPLAYED);
		if (delivery.policy().onParkReply() == ParkReply.NONE || replyTo == null || replyTo.isBlank() || replayed) {
			return Optional.empty();
		}
		Address address = new Address(replyTo);
		OutboundMessage reply = new OutboundMessage(address.getExchangeName(), address.getRoutingKey(),
				properties(request, headers(delivery, park)), body(delivery, park), false);
		Optional<String> problem = OutboundMessageCheck
			.problem(reply.exchange(), reply.routingKey(), reply.properties(), 0)
			.or(() -> problem(delivery.policy(), address));
		problem.ifPresent((why) -> this.refused
			.warn(() -> "A parked request of '%s' gets no reply: %s".formatted(delivery.messageType(), why)));
		return problem.isPresent() ? Optional.empty() : Optional.of(reply);
	}

	private Optional<String> problem(MessagePolicy policy, Address address) {
		String exchange = address.getExchangeName();
		String key = address.getRoutingKey();
		if (!exchange.isEmpty()) {
			return policy.parkReplyExchanges().contains(exchange) ? Optional.empty()
					: Optional.of("its reply-to names exchange %s, which is not in park-reply-exchanges"
						.formatted(LogText.of(exchange)));
		}
		if (key.startsWith(DIRECT) && !DIRECT_REPLY_TO.matcher(key).matches()) {
			return Optional.of("its reply-to is no direct reply-to that RabbitMQ has given out");
		}
		boolean ours = DelayLadder.hasQueue(key)
				|| this.policies.all().stream().anyMatch((each) -> each.topology().hasQueue(key));
		return ours
				? Optional.of("its reply-to names queue %s, which is of a message policy".formatted(LogText.of(key)))
				: Optional.empty();
	}

	private static BasicProperties properties(BasicProperties request, Map<String, Object> headers) {
		// Spring AMQP's listeners answer a request without correlation id by its message
		// id
		String correlation = (request.getCorrelationId() != null) ? request.getCorrelationId() : request.getMessageId();
		return new BasicProperties.Builder().correlationId(correlation)
			.contentType("application/json")
			.contentEncoding(StandardCharsets.UTF_8.name())
			.deliveryMode(1)
			.headers(headers)
			.build();
	}

	private static Map<String, Object> headers(Delivery delivery, Decision.Park park) {
		Map<String, Object> headers = new LinkedHashMap<>();
		headers.put(AppHeaders.REPLY, "parked");
		headers.put(AppHeaders.RETRY_REASON, park.reason());
		headers.put(AppHeaders.RETRY_CLASS, park.failureClass().label());
		headers.put(AppHeaders.FAILURE_REASON, park.failureReason());
		headers.put(AppHeaders.MESSAGE_TYPE, HeaderText.bounded(delivery.messageType(), LONGEST));
		return headers;
	}

	private static byte[] body(Delivery delivery, Decision.Park park) {
		Map<String, Object> body = new LinkedHashMap<>();
		body.put("status", "PARKED");
		body.put("messageType", delivery.messageType());
		body.put("reason", park.reason());
		body.put("failureReason", park.failureReason());
		body.put("failureClass", park.failureClass().label());
		body.put("attempts", delivery.history().attempt() + 1);
		body.put("parkedAt", delivery.now().toString());
		return Json.write(body).getBytes(StandardCharsets.UTF_8);
	}

}
