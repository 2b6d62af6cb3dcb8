/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.scan;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.github.rabbitretry.internal.handover.ConfirmedPublisher;
import io.github.rabbitretry.internal.handover.HandoverCallback;
import io.github.rabbitretry.internal.handover.OutboundMessage;
import io.github.rabbitretry.internal.message.BrokerHeaders;
import io.github.rabbitretry.internal.message.OutboundMessageCheck;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Parks a window's messages anew, so that their delivery count begins again. Before
 * RabbitMQ 4.3 each look raises it, and a policy of the broker may set a delivery limit
 * although the parking lot is declared without one: what is beyond is dropped.
 */
final class WindowRenewal {

	/**
	 * How often a message may come back. With this, limits from 3 on drop nothing. A
	 * smaller one can't be told from a look.
	 */
	static final int MOST_RETURNS = 3;

	private static final Log logger = LogFactory.getLog(WindowRenewal.class);

	private final Function<MessagePolicy, ConfirmedPublisher> publishers;

	private final Duration patience;

	WindowRenewal(Function<MessagePolicy, ConfirmedPublisher> publishers, Duration patience) {
		this.publishers = publishers;
		this.patience = patience;
	}

	/**
	 * Whether messages came back so often that they must not once more.
	 * @param scan the window
	 * @return {@code false} if giving them back does not count
	 */
	static boolean due(ParkingLotScan scan) {
		return scan.returnsCount() && scan.held().stream().anyMatch(WindowRenewal::due);
	}

	private static boolean due(UnackedMessage held) {
		return deliveries(held.properties()) >= MOST_RETURNS
				&& OutboundMessageCheck.problem(held.properties(), held.acknowledgement().frameMax()).isEmpty();
	}

	/**
	 * Publishes copies of all messages, in their order, to the end of the same queue, and
	 * acknowledges those of which the copy is confirmed.
	 * @param policy whose parking lot it is
	 * @param held the messages
	 * @return whether no copy is missing of those that can be published
	 */
	boolean renew(MessagePolicy policy, List<UnackedMessage> held) {
		ConfirmedPublisher publisher = this.publishers.apply(policy);
		List<CompletableFuture<Boolean>> copies = new ArrayList<>();
		for (UnackedMessage message : held) {
			// an operator may write to no other exchange
			OutboundMessage copy = new OutboundMessage(policy.topology().deadLetterExchange(),
					policy.topology().parkingLot(), properties(message.properties()), message.body());
			CompletableFuture<Boolean> confirmed = new CompletableFuture<>();
			if (publisher.submit(copy, message.acknowledgement(), callback(confirmed)).isEmpty()) {
				copies.add(confirmed);
			}
		}
		await(copies);
		long confirmed = copies.stream().filter((copy) -> copy.getNow(false)).count();
		logger.info("%s of %s messages of '%s' that were looked at %s times were parked anew".formatted(confirmed,
				held.size(), policy.topology().parkingLot(), MOST_RETURNS));
		return confirmed == copies.size();
	}

	private static HandoverCallback callback(CompletableFuture<Boolean> confirmed) {
		return new HandoverCallback() {

			@Override
			public void confirmed(Duration elapsed) {
				confirmed.complete(true);
			}

			@Override
			public void abandoned() {
				confirmed.complete(false);
			}

		};
	}

	private void await(List<CompletableFuture<Boolean>> copies) {
		try {
			CompletableFuture.allOf(copies.toArray(CompletableFuture[]::new))
				.get(this.patience.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (ExecutionException | TimeoutException ex) {
			// what is late goes back with the channel
		}
	}

	/** Without what the broker would refuse or route again. */
	private static BasicProperties properties(BasicProperties received) {
		Map<String, Object> headers = new HashMap<>();
		if (received.getHeaders() != null) {
			headers.putAll(received.getHeaders());
		}
		headers.keySet()
			.removeIf((name) -> BrokerHeaders.madeByBroker(name) || name.equals("CC") || name.equals("BCC"));
		return received.builder().headers(headers).userId(null).build();
	}

	/**
	 * How often a message was delivered and came back.
	 * @param properties its properties
	 * @return what the broker says, 0 if it says nothing
	 */
	static long deliveries(BasicProperties properties) {
		Map<String, Object> headers = properties.getHeaders();
		Object count = (headers != null) ? headers.get(BrokerHeaders.DELIVERY_COUNT) : null;
		return (count instanceof Number number) ? Math.max(0, number.longValue()) : 0;
	}

}
