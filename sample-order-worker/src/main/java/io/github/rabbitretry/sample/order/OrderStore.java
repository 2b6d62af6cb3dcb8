/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.order;

import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

import org.springframework.stereotype.Component;

/**
 * The orders, in memory. A message may be delivered more than once, so each step may be
 * taken again without effect.
 */
@Component
public class OrderStore {

	private final ConcurrentMap<String, OrderStatus> orders = new ConcurrentHashMap<>();

	private final AtomicLong repeated = new AtomicLong();

	/**
	 * Takes an order.
	 * @param orderId identifies the order
	 * @return {@code false} if it was there already, whatever its status
	 */
	public boolean create(String orderId) {
		boolean created = this.orders.putIfAbsent(orderId, OrderStatus.CREATED) == null;
		if (!created) {
			this.repeated.incrementAndGet();
		}
		return created;
	}

	/**
	 * Moves an order on. One that is not known yet is taken: its messages come from
	 * several queues and may overtake each other.
	 * @param orderId identifies the order
	 * @param next the status to reach
	 * @return {@code false} if it had that status already
	 * @throws IllegalOrderTransitionException if that status can't be reached any more
	 */
	public boolean advance(String orderId, OrderStatus next) {
		OrderStatus before = this.orders.putIfAbsent(orderId, next);
		while (before != null && before != next) {
			if (!before.mayBecome(next)) {
				throw new IllegalOrderTransitionException(orderId, before, next);
			}
			if (this.orders.replace(orderId, before, next)) {
				return true;
			}
			before = this.orders.get(orderId);
		}
		if (before == next) {
			this.repeated.incrementAndGet();
		}
		return before == null;
	}

	/**
	 * Where an order stands.
	 * @param orderId identifies the order
	 * @return its status, or empty if it is not known
	 */
	public Optional<OrderStatus> status(String orderId) {
		return Optional.ofNullable(this.orders.get(orderId));
	}

	/**
	 * How often a step was taken that had been taken before.
	 * @return the number of repetitions
	 */
	public long repeated() {
		return this.repeated.get();
	}

	/**
	 * How many orders are known.
	 * @return the number of orders
	 */
	public int size() {
		return this.orders.size();
	}

}
