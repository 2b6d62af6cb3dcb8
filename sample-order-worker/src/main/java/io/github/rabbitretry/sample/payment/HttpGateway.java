/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.payment;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.web.client.ResourceAccessException;
import org.springframework.web.client.RestClient;

/**
 * A gateway that is reached over HTTP.
 */
class HttpGateway implements PaymentGateway {

	private final RestClient http;

	HttpGateway(String url, Duration timeout) {
		SimpleClientHttpRequestFactory requests = new SimpleClientHttpRequestFactory();
		requests.setConnectTimeout(timeout);
		requests.setReadTimeout(timeout);
		this.http = RestClient.builder().baseUrl(url).requestFactory(requests).build();
	}

	@Override
	public PaymentStatus capture(CapturePaymentCommand payment, int attempt) {
		try {
			Answer answer = this.http.post()
				.uri("/captures")
				.header("Idempotency-Key", payment.orderId())
				.body(payment)
				.retrieve()
				.body(Answer.class);
			if (answer == null || answer.status() == null) {
				throw new IllegalStateException("the gateway did not say what became of the payment");
			}
			return answer.status();
		}
		catch (ResourceAccessException ex) {
			throw new PaymentGatewayException(
					"capturing %s cents for order %s failed".formatted(payment.cents(), payment.orderId()), ex);
		}
	}

	/**
	 * The gateway's answer.
	 *
	 * @param status what became of the payment
	 */
	record Answer(@Nullable PaymentStatus status) {
	}

}
