/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.github.rabbitretry.classify.FailedDelivery;
import io.github.rabbitretry.internal.classify.ClassificationChain;
import io.github.rabbitretry.internal.listener.ListenerConversion;
import io.github.rabbitretry.internal.message.ReceivedPropertiesConverter;
import io.github.rabbitretry.internal.parking.mapping.AmqpPropertiesCodec;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.parking.message.Ledger;
import io.github.rabbitretry.parking.message.ParkedMessage;
import io.github.rabbitretry.parking.replay.DryRun;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.rabbit.support.DefaultMessagePropertiesConverter;

/**
 * Has the running code convert some of the messages that would be replayed. No handler is
 * called.
 */
public final class SampleReader {

	private static final ReceivedPropertiesConverter PROPERTIES = new ReceivedPropertiesConverter(
			new DefaultMessagePropertiesConverter());

	private final Ledger ledger;

	private final ListenerConversion conversion;

	private final ClassificationChain classification;

	/**
	 * Creates the reader.
	 * @param ledger the parked messages
	 * @param conversion converts as the listeners do
	 * @param classification says what failures are
	 */
	public SampleReader(Ledger ledger, ListenerConversion conversion, ClassificationChain classification) {
		this.ledger = ledger;
		this.conversion = conversion;
		this.classification = classification;
	}

	/**
	 * Converts messages, one body at a time.
	 * @param policy the policy of their queue
	 * @param ids their ids
	 * @return what came of it, or {@code null} if nothing here converts them
	 */
	DryRun.@Nullable Samples read(MessagePolicy policy, List<Long> ids) {
		int tried = 0;
		int converted = 0;
		Map<String, Integer> reasons = new HashMap<>();
		for (Long id : ids) {
			Optional<String> outcome = this.ledger.find(id).flatMap((message) -> outcome(policy, message));
			if (outcome.isPresent()) {
				tried++;
				if (outcome.get().isEmpty()) {
					converted++;
				}
				else {
					reasons.merge(outcome.get(), 1, Integer::sum);
				}
			}
		}
		return (tried > 0) ? new DryRun.Samples(tried, converted, reasons) : null;
	}

	/** An empty text if it can be converted, the reason if not, nothing if not tried. */
	private Optional<String> outcome(MessagePolicy policy, ParkedMessage parked) {
		byte[] body = parked.body();
		if (body == null) {
			return Optional.empty();
		}
		MessageProperties properties = PROPERTIES.convert(AmqpPropertiesCodec.properties(parked), null,
				StandardCharsets.UTF_8.name());
		properties.setConsumerQueue(policy.queue());
		return this.conversion.convert(policy, new Message(body, properties)).map((result) -> {
			Throwable failure = result.failure();
			return (failure == null) ? ""
					: this.classification.classify(failure, new FailedDelivery(policy.messageType(), 0, properties))
						.reason();
		});
	}

}
