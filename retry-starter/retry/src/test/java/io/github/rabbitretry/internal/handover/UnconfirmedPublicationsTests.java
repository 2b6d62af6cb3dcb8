/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.handover;

import java.util.List;
import java.util.stream.IntStream;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.github.rabbitretry.internal.handover.ConfirmChannel.Publication;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class UnconfirmedPublicationsTests {

	private static final OutboundMessage MESSAGE = new OutboundMessage("", "", new BasicProperties(), new byte[0]);

	private final UnconfirmedPublications unconfirmed = new UnconfirmedPublications();

	@Test
	void noneIsLostHoweverManyThereAre() {
		publish(1, 64);
		assertThat(numbers(this.unconfirmed.removeUpTo(30))).containsExactlyElementsOf(numbers(1, 30));
		publish(65, 300);
		assertThat(numbers(this.unconfirmed.removeUpTo(200))).containsExactlyElementsOf(numbers(31, 200));
		publish(301, 500);
		assertThat(numbers(this.unconfirmed.removeAll())).containsExactlyElementsOf(numbers(201, 500));
		assertThat(this.unconfirmed.removeAll()).isEmpty();
	}

	@Test
	void theOldestIsTheFirstThatIsUnconfirmed() {
		assertThat(this.unconfirmed.oldest()).isNull();
		publish(1, 4);
		this.unconfirmed.remove(2);
		assertThat(this.unconfirmed.oldest()).extracting(Publication::number).isEqualTo(1);
		this.unconfirmed.remove(1);
		assertThat(this.unconfirmed.oldest()).extracting(Publication::number).isEqualTo(3);
		this.unconfirmed.removeUpTo(3);
		assertThat(this.unconfirmed.oldest()).extracting(Publication::number).isEqualTo(4);
		this.unconfirmed.remove(4);
		assertThat(this.unconfirmed.oldest()).isNull();
	}

	@Test
	void oneThatIsRemovedBehindTheLastConfirmIsNotTheOldest() {
		publish(1, 3);
		this.unconfirmed.remove(2);
		this.unconfirmed.removeUpTo(1);
		assertThat(this.unconfirmed.oldest()).extracting(Publication::number).isEqualTo(3);
	}

	@Test
	void whatIsNotHereIsNotFound() {
		publish(1, 2);
		this.unconfirmed.remove(1);
		assertThat(this.unconfirmed.remove(1)).isNull();
		assertThat(this.unconfirmed.remove(3)).isNull();
		assertThat(this.unconfirmed.remove(2 + 64)).isNull();
		assertThat(numbers(this.unconfirmed.removeAll())).containsExactly(2);
	}

	@Test
	void onlyWhatWasPublishedBeforeIsSeenAndStaysHere() {
		publish(1, 4);
		this.unconfirmed.remove(2);
		assertThat(numbers(this.unconfirmed.publishedBefore(4))).containsExactly(1, 3);
		assertThat(numbers(this.unconfirmed.publishedBefore(5))).containsExactly(1, 3, 4);
		assertThat(this.unconfirmed.publishedBefore(1)).isEmpty();
	}

	private void publish(int first, int last) {
		numbers(first, last)
			.forEach((number) -> this.unconfirmed.add(number, new Publication(MESSAGE, number, number)));
	}

	private static List<Integer> numbers(int first, int last) {
		return IntStream.rangeClosed(first, last).boxed().toList();
	}

	private static List<Integer> numbers(List<Publication> publications) {
		return publications.stream().map(Publication::number).toList();
	}

}
