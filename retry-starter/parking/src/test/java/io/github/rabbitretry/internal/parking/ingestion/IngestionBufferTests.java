/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ingestion;

import java.time.Duration;
import java.util.List;

import com.rabbitmq.client.AMQP.BasicProperties;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class IngestionBufferTests {

	private final IngestionBuffer buffer = new IngestionBuffer(10_000);

	private static ParkedDelivery delivery(long tag, int bytes) {
		return new ParkedDelivery(tag, "order.parking-lot", new BasicProperties(), new byte[bytes]);
	}

	@Test
	void itHoldsNoMoreBytesThanItMayUntilWhatWasTakenIsReleased() throws InterruptedException {
		assertThat(this.buffer.offer(delivery(1, 4_000))).isTrue();
		assertThat(this.buffer.offer(delivery(2, 2_000))).isTrue();
		assertThat(this.buffer.offer(delivery(3, 4_000))).isFalse();
		List<ParkedDelivery> taken = this.buffer.take(10, 10_000, Duration.ofMillis(1));
		assertThat(taken).extracting(ParkedDelivery::tag).containsExactly(1L, 2L);
		assertThat(this.buffer.offer(delivery(4, 4_000))).as("they are in memory still").isFalse();
		assertThat(this.buffer.roomy()).isFalse();
		this.buffer.release(taken);
		assertThat(this.buffer.roomy()).isTrue();
		assertThat(this.buffer.offer(delivery(5, 4_000))).isTrue();
	}

	@Test
	void aMessageThatIsLargerThanAllIsTakenByItself() throws InterruptedException {
		assertThat(this.buffer.offer(delivery(1, 50_000))).isTrue();
		assertThat(this.buffer.offer(delivery(2, 1))).isFalse();
		assertThat(this.buffer.take(10, 100, Duration.ofMillis(1))).hasSize(1);
	}

	@Test
	void aBatchIsBoundedByMessagesAndByBytes() throws InterruptedException {
		for (long tag = 1; tag <= 5; tag++) {
			this.buffer.offer(delivery(tag, 100));
		}
		assertThat(this.buffer.take(2, 10_000, Duration.ZERO)).hasSize(2);
		assertThat(this.buffer.take(10, 1, Duration.ZERO)).hasSize(1);
		assertThat(this.buffer.take(10, 10_000, Duration.ZERO)).hasSize(2);
	}

}
