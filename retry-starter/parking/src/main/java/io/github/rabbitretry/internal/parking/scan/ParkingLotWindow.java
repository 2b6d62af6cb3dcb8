/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.scan;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.github.rabbitretry.internal.handover.ConfirmedPublisher;
import io.github.rabbitretry.internal.handover.ConfirmedPublishers;
import io.github.rabbitretry.internal.parking.mapping.LedgerPolicy;
import io.github.rabbitretry.internal.parking.mapping.ParkedMessageMapper;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.parking.message.ParkedFilter;
import io.github.rabbitretry.parking.message.ParkedMessage;
import io.github.rabbitretry.parking.message.ParkedSummary;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;

/**
 * What can be seen of parked messages without a ledger: the oldest messages of each
 * parking lot are taken for a moment, looked at, and given back to their places.
 */
public final class ParkingLotWindow {

	private final MessagePolicies policies;

	private final Map<String, LedgerPolicy> readings;

	private final ParkedMessageMapper reading;

	private final ConnectionFactory connectionFactory;

	private final ConfirmedPublishers publishers;

	private final ParkingLotScanner scanner;

	/**
	 * Creates the window.
	 * @param policies whose parking lots
	 * @param readings what is shown of each one's bodies
	 * @param reading reads messages
	 * @param connectionFactory leads to the broker
	 * @param publishers publish what is parked anew
	 * @param settings the bounds
	 */
	public ParkingLotWindow(MessagePolicies policies, List<LedgerPolicy> readings, ParkedMessageMapper reading,
			ConnectionFactory connectionFactory, ConfirmedPublishers publishers, ScanSettings settings) {
		this.policies = policies;
		this.readings = readings.stream().collect(Collectors.toMap(LedgerPolicy::queue, Function.identity()));
		this.reading = reading;
		this.connectionFactory = connectionFactory;
		this.publishers = publishers;
		this.scanner = new ParkingLotScanner(connectionFactory, settings,
				new WindowRenewal(this::publisher, settings.patience()));
	}

	/**
	 * Looks at parking lots.
	 * @param filter its queue, if it is set, says which one; the rest is left to the
	 * search
	 * @param whole ids of messages of which bodies and headers are wanted; all others'
	 * are not kept
	 * @return what is there now
	 * @throws ScanRefusedException if a parking lot can't be looked at
	 */
	public ScannedLedger look(ParkedFilter filter, Set<Long> whole) {
		List<ParkedSummary> messages = new ArrayList<>();
		Map<Long, ParkedMessage> kept = new HashMap<>();
		List<ScanWindow> windows = new ArrayList<>();
		for (MessagePolicy policy : policiesOf(filter)) {
			this.scanner.scan(policy, reader(policy), (window, found) -> {
				for (ParkedMessage message : found) {
					ParkedSummary summary = message.summary();
					messages.add(summary);
					if (whole.contains(summary.id())) {
						kept.put(summary.id(), message);
					}
				}
				windows.add(window);
			});
		}
		return new ScannedLedger(messages, kept, windows);
	}

	private List<MessagePolicy> policiesOf(ParkedFilter filter) {
		if (filter.queue() == null) {
			return List.copyOf(this.policies.all());
		}
		Optional<MessagePolicy> policy = this.policies.ofQueue(filter.queue());
		return policy.map(List::of).orElseGet(List::of);
	}

	private ConfirmedPublisher publisher(MessagePolicy policy) {
		return this.publishers.publisher(this.connectionFactory, policy.messageType());
	}

	private Function<UnackedMessage, ParkedMessage> reader(MessagePolicy policy) {
		LedgerPolicy how = this.readings.get(policy.queue());
		if (how == null) {
			throw new IllegalStateException("nothing says how to read '%s'".formatted(policy.queue()));
		}
		return (held) -> this.reading.read(how, held.properties(), held.body());
	}

}
