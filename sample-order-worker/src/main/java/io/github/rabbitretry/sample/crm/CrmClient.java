/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.crm;

import java.nio.charset.StandardCharsets;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.client.HttpServerErrorException;

/**
 * A simulated client of a CRM, with a customer for the bad day: {@value #IN_MAINTENANCE}
 * is answered with 503 at the first attempt.
 */
@Component
class CrmClient {

	static final String IN_MAINTENANCE = "customer-in-maintenance";

	void put(String customerId, String email, int attempt) {
		if (customerId.equals(IN_MAINTENANCE) && attempt == 0) {
			throw HttpServerErrorException.create(HttpStatus.SERVICE_UNAVAILABLE, "Service Unavailable",
					new HttpHeaders(), new byte[0], StandardCharsets.UTF_8);
		}
	}

}
