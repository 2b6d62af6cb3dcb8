/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.outside;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A message type as its producer and its operator know it: names, nothing of the worker's
 * code.
 */
public enum OrderMessageType {

	/** Asks for an order. */
	CREATE_ORDER("CreateOrderCommand", "order.command", "order.command.create", 5),

	/** Asks for money. */
	CAPTURE_PAYMENT("CapturePaymentCommand", "payment.command", "payment.command.capture", 4),

	/** Asks for a customer's data to be passed on. */
	SYNC_CUSTOMER("SyncCustomerToCrmCommand", "customer.command", "customer.command.sync-to-crm", 5);

	private final String type;

	private final String exchange;

	private final String queue;

	private final int attempts;

	OrderMessageType(String type, String exchange, String queue, int attempts) {
		this.type = type;
		this.exchange = exchange;
		this.queue = queue;
		this.attempts = attempts;
	}

	/**
	 * The message type.
	 * @return its name
	 */
	public String type() {
		return this.type;
	}

	/**
	 * Where to publish to.
	 * @return the exchange
	 */
	public String exchange() {
		return this.exchange;
	}

	/**
	 * The work queue, whose name is the routing key too.
	 * @return its name
	 */
	public String queue() {
		return this.queue;
	}

	/**
	 * How many delayed attempts there are at most.
	 * @return the number
	 */
	public int attempts() {
		return this.attempts;
	}

	/**
	 * The retry queues.
	 * @return their names
	 */
	public List<String> retryQueues() {
		return delays().map((delay) -> this.queue + ".retry." + delay).toList();
	}

	/**
	 * The dead-letter queue.
	 * @return its name
	 */
	public String deadLetterQueue() {
		return this.queue + ".dlq";
	}

	/**
	 * The quarantine.
	 * @return its name
	 */
	public String quarantine() {
		return this.queue + ".quarantine";
	}

	/**
	 * The parking lot.
	 * @return its name
	 */
	public String parkingLot() {
		return this.queue + ".parking-lot";
	}

	/**
	 * The real delays are seconds to half an hour; here they are 1 s, 2 s and so on.
	 * @return arguments for the worker
	 */
	public Stream<String> scaledDelays() {
		String key = "--rabbit-retry.message-policies.%s.".formatted(this.type);
		return Stream.of(key + "retry-backoff=schedule", key + "schedule=" + String.join(",", delays().toList()));
	}

	private Stream<String> delays() {
		return IntStream.rangeClosed(1, this.attempts).mapToObj((seconds) -> seconds + "s");
	}

}
