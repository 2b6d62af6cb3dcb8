/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.order;

import org.junit.jupiter.api.Test;

import org.springframework.dao.OptimisticLockingFailureException;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

class InventoryTests {

	private final Inventory inventory = new Inventory();

	@Test
	void theStockOfAContendedArticleIsReservedAtTheSecondTry() {
		assertThatExceptionOfType(OptimisticLockingFailureException.class)
			.isThrownBy(() -> this.inventory.reserve("1", Inventory.CONTENDED, 2));
		assertThatNoException().isThrownBy(() -> this.inventory.reserve("1", Inventory.CONTENDED, 2));
	}

	@Test
	void otherArticlesAreReservedAtOnce() {
		assertThatNoException().isThrownBy(() -> this.inventory.reserve("1", "SKU-1", 2));
	}

}
