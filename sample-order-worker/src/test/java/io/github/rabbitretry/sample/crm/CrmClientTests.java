/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.crm;

import org.junit.jupiter.api.Test;

import org.springframework.web.client.HttpServerErrorException;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

class CrmClientTests {

	private final CrmClient crm = new CrmClient();

	@Test
	void aCustomerInMaintenanceIsUnavailableAtTheFirstAttempt() {
		assertThatExceptionOfType(HttpServerErrorException.ServiceUnavailable.class)
			.isThrownBy(() -> this.crm.put(CrmClient.IN_MAINTENANCE, "customer@example.com", 0));
		assertThatNoException().isThrownBy(() -> this.crm.put(CrmClient.IN_MAINTENANCE, "customer@example.com", 1));
	}

	@Test
	void otherCustomersAreAccepted() {
		assertThatNoException().isThrownBy(() -> this.crm.put("customer-1", "customer@example.com", 0));
	}

}
