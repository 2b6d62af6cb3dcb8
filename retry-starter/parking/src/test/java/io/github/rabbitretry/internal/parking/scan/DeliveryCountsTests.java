/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.scan;

import java.util.Map;

import com.rabbitmq.client.AMQP.BasicProperties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class DeliveryCountsTests {

	@ParameterizedTest
	@CsvSource({ "4.3.6,true", "4.3,true", "4.10.0-rc.1,true", "5.0.0,true", "4.2.9,false", "3.13.7,false", "4,false",
			"null,false", "'',false" })
	void versionsAreCompared(String version, boolean atLeast) {
		assertThat(DeliveryCounts.atLeast(version, 4, 3)).isEqualTo(atLeast);
	}

	@Test
	void whatIsNoNumberIsNotCounted() {
		assertThat(of(Map.of("x-delivery-count", 3L))).isEqualTo(3);
		assertThat(of(Map.of("x-delivery-count", "many"))).isZero();
		assertThat(of(Map.of("x-delivery-count", -1))).isZero();
		assertThat(of(Map.of())).isZero();
		assertThat(DeliveryCounts.of(new BasicProperties())).isZero();
	}

	private static long of(Map<String, Object> headers) {
		return DeliveryCounts.of(new BasicProperties.Builder().headers(headers).build());
	}

}
