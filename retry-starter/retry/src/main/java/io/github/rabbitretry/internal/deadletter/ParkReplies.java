/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.deadletter;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.github.rabbitretry.decision.Decision;
import io.github.rabbitretry.internal.handover.Delivery;
import io.github.rabbitretry.internal.handover.OutboundMessage;
import io.github.rabbitretry.internal.handover.OutboundMessageCheck;
import io.github.rabbitretry.internal.policy.ParkReply;
import io.github.rabbitretry.internal.topology.AppHeaders;
import io.github.rabbitretry.internal.topology.HeaderText;
import io.github.rabbitretry.internal.topology.ReplayHeaders;

import org.springframework.amqp.core.Address;

/**
 * Writes the error replies to requests that are parked. They say neither what the
 * exception says nor what the request holds.
 */
final class ParkReplies {

	private static final int LONGEST = 255;

	private ParkReplies() {
	}

	/**
	 * Writes the reply.
	 * @param delivery the request's delivery
	 * @param park why it is parked
	 * @return the reply, or empty if nobody asked for one, or waits for it any more
	 */
	static Optional<OutboundMessage> to(Delivery delivery, Decision.Park park) {
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
		return OutboundMessageCheck.problem(reply, 0).isPresent() ? Optional.empty() : Optional.of(reply);
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
		return """
				{"status":"PARKED","messageType":%s,"reason":%s,"failureReason":%s,"failureClass":%s,"attempts":%d,"parkedAt":"%s"}"""
			.formatted(quoted(delivery.messageType()), quoted(park.reason()), quoted(park.failureReason()),
					quoted(park.failureClass().label()), delivery.history().attempt() + 1, delivery.now())
			.getBytes(StandardCharsets.UTF_8);
	}

	private static String quoted(String text) {
		StringBuilder quoted = new StringBuilder("\"");
		text.codePoints().forEach((character) -> {
			if (character == '"' || character == '\\') {
				quoted.append('\\').appendCodePoint(character);
			}
			else if (character < 0x20) {
				quoted.append("\\u%04x".formatted(character));
			}
			else {
				quoted.appendCodePoint(character);
			}
		});
		return quoted.append('"').toString();
	}

}
