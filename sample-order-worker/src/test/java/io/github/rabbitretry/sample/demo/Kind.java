/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.demo;

import io.github.rabbitretry.sample.outside.OrderMessageType;

/**
 * The kinds of orders: what is sent, and what has to become of it.
 */
enum Kind {

	/** Takes the share that the others leave. */
	HEALTHY_ORDER("healthy order", 0, OrderMessageType.CREATE_ORDER, new Fate.Handled(0), order(2, "SKU-1")),

	/** Nothing is wrong with it. */
	HEALTHY_PAYMENT("healthy payment", 150, OrderMessageType.CAPTURE_PAYMENT, new Fate.Handled(0), payment("tok_visa")),

	/** Nothing is wrong with it. */
	HEALTHY_SYNC("healthy CRM sync", 120, OrderMessageType.SYNC_CUSTOMER, new Fate.Handled(0), customer("customer-1")),

	/** Loses an optimistic lock once and gets it at the next local attempt. */
	LOCK_CONFLICT("lock conflict, heals locally", 40, OrderMessageType.CREATE_ORDER, new Fate.Handled(0),
			order(2, "SKU-CONTENDED")),

	/** The gateway times out once. */
	TIMEOUT_1("gateway timeout, heals after 1", 50, OrderMessageType.CAPTURE_PAYMENT, new Fate.Handled(1),
			payment("tok_timeout_1")),

	/** The gateway times out twice. */
	TIMEOUT_2("gateway timeout, heals after 2", 30, OrderMessageType.CAPTURE_PAYMENT, new Fate.Handled(2),
			payment("tok_timeout_2")),

	/** The gateway times out three times. */
	TIMEOUT_3("gateway timeout, heals after 3", 20, OrderMessageType.CAPTURE_PAYMENT, new Fate.Handled(3),
			payment("tok_timeout_3")),

	/** The gateway needs longer than the worker waits. The next release waits longer. */
	SLOW("gateway slower than its timeout", 10, OrderMessageType.CAPTURE_PAYMENT,
			new Fate.Parked("RETRY_BUDGET_EXHAUSTED", OrderMessageType.CAPTURE_PAYMENT.attempts()), new Fate.Handled(0),
			payment("tok_slow")),

	/** The CRM answers 503 once. */
	CRM_UNAVAILABLE("CRM answers 503 once", 20, OrderMessageType.SYNC_CUSTOMER, new Fate.Handled(1),
			customer("customer-in-maintenance")),

	/** Is no JSON, in no release. */
	MALFORMED("malformed JSON", 10, OrderMessageType.CREATE_ORDER, new Fate.Parked("DESERIALIZATION_FAILED", 0),
			new Fate.Discarded("DESERIALIZATION_FAILED"), "{\"schemaVersion\":2,\"orderId\":\"%s\",\"sku\":"),

	/** Was written by a producer that is ahead of the worker, one release. */
	UNSUPPORTED_SCHEMA("unsupported schema", 10, OrderMessageType.CREATE_ORDER,
			new Fate.Parked("UNSUPPORTED_SCHEMA_VERSION", 0), new Fate.Handled(0), order(3, "SKU-1")),

	/** Asks for money that was paid back. */
	ILLEGAL_TRANSITION("illegal transition", 10, OrderMessageType.CAPTURE_PAYMENT,
			new Fate.Parked("ILLEGAL_BUSINESS_TRANSITION", 0), payment("tok_refunded")),

	/** Takes the whole worker with it. There is one, whatever the number of orders. */
	KILLER("kills the consumer", 0, OrderMessageType.CAPTURE_PAYMENT, new Fate.Parked("DELIVERY_LIMIT", 0),
			payment("tok_crash"));

	private final String label;

	private final int permille;

	private final OrderMessageType command;

	private final Fate fate;

	private final Fate inTheEnd;

	private final String body;

	Kind(String label, int permille, OrderMessageType command, Fate fate, String body) {
		this(label, permille, command, fate, fate, body);
	}

	Kind(String label, int permille, OrderMessageType command, Fate fate, Fate inTheEnd, String body) {
		this.label = label;
		this.permille = permille;
		this.command = command;
		this.fate = fate;
		this.inTheEnd = inTheEnd;
		this.body = body;
	}

	String label() {
		return this.label;
	}

	int permille() {
		return this.permille;
	}

	OrderMessageType command() {
		return this.command;
	}

	Fate fate() {
		return this.fate;
	}

	/** What becomes of it once parked messages were replayed and discarded. */
	Fate inTheEnd() {
		return this.inTheEnd;
	}

	String body(String orderId) {
		return this.body.formatted(orderId);
	}

	private static String order(int schemaVersion, String sku) {
		return """
				{"schemaVersion":%d,"orderId":"%%s","customerId":"customer-1","sku":"%s","quantity":2}"""
			.formatted(schemaVersion, sku);
	}

	private static String payment(String card) {
		return """
				{"orderId":"%%s","card":"%s","cents":4200}""".formatted(card);
	}

	private static String customer(String customerId) {
		return """
				{"orderId":"%%s","customerId":"%s","email":"customer@example.com"}""".formatted(customerId);
	}

}
