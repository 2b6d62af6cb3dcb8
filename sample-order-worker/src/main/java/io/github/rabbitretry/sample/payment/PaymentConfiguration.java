/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.payment;

import java.time.Duration;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class PaymentConfiguration {

	@Bean
	PaymentGateway paymentGateway(@Value("${payment.gateway.url}") String url,
			@Value("${payment.gateway.timeout}") Duration timeout) {
		return url.isEmpty() ? new SimulatedGateway(timeout) : new HttpGateway(url, timeout);
	}

}
