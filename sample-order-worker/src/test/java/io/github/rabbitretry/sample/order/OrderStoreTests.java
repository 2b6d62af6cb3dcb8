/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.order;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class OrderStoreTests {

	private final OrderStore store = new OrderStore();

	@Test
	void anOrderIsCreatedOnceHoweverOftenItsMessageComes() {
		assertThat(this.store.create("1")).isTrue();
		assertThat(this.store.create("1")).isFalse();
		assertThat(this.store.size()).isOne();
		assertThat(this.store.repeated()).isOne();
	}

	@Test
	void aPaidOrderStaysPaidWhenItsCreationIsDeliveredAgain() {
		this.store.create("1");
		this.store.advance("1", OrderStatus.PAID);
		this.store.create("1");
		assertThat(this.store.status("1")).hasValue(OrderStatus.PAID);
	}

	@Test
	void anOrderIsPaidOnce() {
		this.store.create("1");
		assertThat(this.store.advance("1", OrderStatus.PAID)).isTrue();
		assertThat(this.store.advance("1", OrderStatus.PAID)).isFalse();
		assertThat(this.store.repeated()).isOne();
	}

	@Test
	void aPaymentMayOvertakeItsOrder() {
		assertThat(this.store.advance("1", OrderStatus.PAID)).isTrue();
		assertThat(this.store.status("1")).hasValue(OrderStatus.PAID);
	}

	@Test
	void aRefundedOrderIsNeverPaidAgain() {
		this.store.advance("1", OrderStatus.REFUNDED);
		assertThatExceptionOfType(IllegalOrderTransitionException.class)
			.isThrownBy(() -> this.store.advance("1", OrderStatus.PAID))
			.withMessage("order 1 is REFUNDED and can't become PAID");
		assertThat(this.store.status("1")).hasValue(OrderStatus.REFUNDED);
	}

	@Test
	void anUnknownOrderHasNoStatus() {
		assertThat(this.store.status("1")).isEmpty();
	}

}
