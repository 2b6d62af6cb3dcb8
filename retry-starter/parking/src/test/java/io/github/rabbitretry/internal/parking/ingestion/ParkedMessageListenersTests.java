/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ingestion;

import java.util.ArrayList;
import java.util.List;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.github.rabbitretry.internal.parking.ledger.Parking;
import io.github.rabbitretry.internal.parking.mapping.AmqpPropertiesCodec;
import io.github.rabbitretry.parking.message.ParkedMessage;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ParkedMessageListenersTests {

	private final ParkedMessage message = AmqpPropertiesCodec.message(Parking.of("m1").row().summary(17),
			new BasicProperties(), null);

	@Test
	void aListenerThatFailsKeepsNoOtherFromBeingTold() {
		List<Long> told = new ArrayList<>();
		new ParkedMessageListeners(List.of((parked) -> {
			throw new IllegalStateException("ticket system away");
		}, (parked) -> {
			throw new NoClassDefFoundError("Ticket");
		}, (parked) -> told.add(parked.summary().id()))).parked(this.message);
		assertThat(told).containsExactly(17L);
	}

	@Test
	void nobodyIsNobody() {
		assertThat(ParkedMessageListeners.NONE.none()).isTrue();
		assertThat(new ParkedMessageListeners(List.of((parked) -> {
		})).none()).isFalse();
	}

}
