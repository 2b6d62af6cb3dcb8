/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.scan;

import java.util.Map;

import com.rabbitmq.client.AMQP.BasicProperties;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class WindowRenewalTests {

	@Test
	void whatIsNoNumberIsNotCounted() {
		assertThat(of(Map.of("x-delivery-count", 3L))).isEqualTo(3);
		assertThat(of(Map.of("x-delivery-count", "many"))).isZero();
		assertThat(of(Map.of("x-delivery-count", -1))).isZero();
		assertThat(of(Map.of())).isZero();
		assertThat(WindowRenewal.deliveries(new BasicProperties())).isZero();
	}

	private static long of(Map<String, Object> headers) {
		return WindowRenewal.deliveries(new BasicProperties.Builder().headers(headers).build());
	}

}
