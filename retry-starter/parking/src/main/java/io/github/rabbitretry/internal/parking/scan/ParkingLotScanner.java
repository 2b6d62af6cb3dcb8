/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.scan;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

import io.github.rabbitretry.internal.policy.MessagePolicy;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;

/**
 * Scans parking lots, each one's by one thread at a time: a second scan of a queue would
 * find it empty.
 */
final class ParkingLotScanner {

	/** What was given back may have another order in the queue than before. */
	private static final Comparator<WindowMessage> OLDEST_FIRST = Comparator
		.comparing((message) -> message.parked().summary().parkedAt());

	private final ConnectionFactory connectionFactory;

	private final ScanSettings settings;

	private final WindowRenewal renewal;

	private final Map<String, ReentrantLock> locks = new ConcurrentHashMap<>();

	ParkingLotScanner(ConnectionFactory connectionFactory, ScanSettings settings, WindowRenewal renewal) {
		this.connectionFactory = connectionFactory;
		this.settings = settings;
		this.renewal = renewal;
	}

	/**
	 * Does something with a window, and makes sure that what was acknowledged is gone.
	 * @param policy whose parking lot
	 * @param reader reads a message
	 * @param use what to do while the window is held; it returns the messages that it
	 * acknowledged
	 * @return the messages that were acknowledged and may be in the queue still
	 * @throws ScanRefusedException if it is another request's turn for too long, or the
	 * queue can't be consumed
	 */
	List<WindowMessage> scan(MessagePolicy policy, Function<UnackedMessage, WindowMessage> reader, Use use) {
		String parkingLot = policy.topology().parkingLot();
		ReentrantLock lock = this.locks.computeIfAbsent(parkingLot, (queue) -> new ReentrantLock(true));
		if (!locked(lock)) {
			throw ScanRefusedException.busy(parkingLot);
		}
		try {
			ParkingLotScan scan = openRenewed(policy);
			List<WindowMessage> acknowledged = List.of();
			Effect effect = Effect.UNKNOWN;
			try {
				acknowledged = use.apply(scan.window(), scan.held().stream().map(reader).sorted(OLDEST_FIRST).toList());
			}
			finally {
				effect = scan.giveBack(acknowledged.size());
			}
			return (effect == Effect.GONE) ? List.of()
					: new AcknowledgementVerifier(() -> open(policy), reader).unsure(acknowledged, effect);
		}
		finally {
			lock.unlock();
		}
	}

	private ParkingLotScan openRenewed(MessagePolicy policy) {
		ParkingLotScan scan = open(policy);
		if (!WindowRenewal.due(scan)) {
			return scan;
		}
		boolean renewed = false;
		Effect effect = Effect.UNKNOWN;
		try {
			renewed = this.renewal.renew(policy, scan.held());
		}
		finally {
			// copies take the places of what was acknowledged
			effect = scan.giveBack(0);
		}
		if (effect == Effect.UNKNOWN) {
			throw ScanRefusedException.perhapsTwice(policy.topology().parkingLot(), scan.held().size());
		}
		if (!renewed) {
			throw ScanRefusedException.notRenewed(policy.topology().parkingLot());
		}
		return open(policy);
	}

	private ParkingLotScan open(MessagePolicy policy) {
		return ParkingLotScan.open(this.connectionFactory, policy, this.settings);
	}

	private boolean locked(ReentrantLock lock) {
		try {
			return lock.tryLock(this.settings.patience().toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

	/** What is done while a window is held. */
	interface Use {

		List<WindowMessage> apply(ScanWindow window, List<WindowMessage> messages);

	}

}
