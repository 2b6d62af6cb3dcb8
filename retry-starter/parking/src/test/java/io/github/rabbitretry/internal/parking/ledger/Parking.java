/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ledger;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.impl.LongStringHelper;
import io.github.rabbitretry.internal.parking.mapping.ProducerHeaderNames;
import io.github.rabbitretry.internal.parking.mapping.LedgerPolicy;
import io.github.rabbitretry.internal.parking.mapping.ParkedRecord;
import io.github.rabbitretry.internal.parking.mapping.ParkedRecordMapper;
import io.github.rabbitretry.internal.parking.mapping.Redaction;
import io.github.rabbitretry.internal.policy.ExceptionTexts;
import org.jspecify.annotations.Nullable;

/**
 * Parked messages as they come out of a parking lot.
 */
public final class Parking {

	public static final Instant NOW = Instant.parse("2026-07-01T12:00:00Z");

	public static final ProducerHeaderNames NAMES = new ProducerHeaderNames(List.of("x-aggregate-id", "aggregate-id"),
			List.of("x-correlation-id"), List.of("x-causation-id"), List.of("x-schema-version"), List.of("x-producer"));

	private final Map<String, @Nullable Object> headers = new HashMap<>();

	private final BasicProperties.Builder properties = new BasicProperties.Builder().contentType("application/json")
		.deliveryMode(2);

	private String body = "{}";

	private Parking() {
	}

	public static Parking of(String id) {
		return new Parking().at(NOW.minusSeconds(60))
			.id(id)
			.header("x-app-retry-reason", "DOWNSTREAM_TIMEOUT")
			.header("x-app-retry-class", "transient")
			.header("x-app-failure-fingerprint", "f1")
			.header("x-app-handler-version", "worker:1")
			.header("x-app-owner", "team-orders")
			.header("x-app-message-type", "Order")
			.header("x-app-retry-attempt", 5)
			.header("x-app-first-failure-at", "2026-07-01T09:10:00Z")
			.header("x-app-last-failure-at", "2026-07-01T09:43:00Z");
	}

	public static LedgerPolicy policy(String queue) {
		return policy(queue, Redaction.NONE);
	}

	public static LedgerPolicy policy(String queue, Redaction redaction) {
		return policy(queue, redaction, ExceptionTexts.FULL);
	}

	public static LedgerPolicy policy(String queue, Redaction redaction, ExceptionTexts texts) {
		return new LedgerPolicy("Order", "team-orders", queue, queue + ".parking-lot", null, redaction, texts,
				Map.of(queue + ".v0", queue + ".v0.parking-lot"));
	}

	public Parking id(@Nullable String id) {
		this.properties.messageId(id);
		return this;
	}

	public Parking correlationId(String id) {
		this.properties.correlationId(id);
		return this;
	}

	public Parking at(Instant parkedAt) {
		return header("x-app-parked-at", parkedAt.toString());
	}

	public Parking body(String text) {
		this.body = text;
		return this;
	}

	public Parking header(String name, @Nullable Object value) {
		// as the client reads it
		this.headers.put(name, (value instanceof String text) ? LongStringHelper.asLongString(text) : value);
		return this;
	}

	public Parking noHeaders() {
		this.headers.clear();
		return this;
	}

	public BasicProperties properties() {
		return this.properties.headers(this.headers.isEmpty() ? null : new HashMap<>(this.headers)).build();
	}

	public byte[] bytes() {
		return this.body.getBytes();
	}

	public ParkedRecord row() {
		return row("order");
	}

	public ParkedRecord row(String queue) {
		return row(policy(queue));
	}

	public ParkedRecord row(LedgerPolicy policy) {
		return new ParkedRecordMapper(NAMES, () -> NOW).read(policy, properties(), bytes());
	}

}
