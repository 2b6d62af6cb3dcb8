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
import java.util.function.BiConsumer;
import java.util.function.Function;

import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.parking.message.ParkedMessage;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;

/**
 * Scans parking lots, each one's by one thread at a time: a second scan of a queue would
 * find it empty.
 */
final class ParkingLotScanner {

	/** What was given back may have another order in the queue than before. */
	private static final Comparator<ParkedMessage> OLDEST_FIRST = Comparator
		.comparing((message) -> message.summary().parkedAt());

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
	 * Looks at a parking lot.
	 * @param policy whose parking lot
	 * @param reader reads a message
	 * @param use is given what was found, the oldest message first
	 * @throws ScanRefusedException if another request scans the queue for too long, or it
	 * can't be consumed
	 */
	void scan(MessagePolicy policy, Function<UnackedMessage, ParkedMessage> reader,
			BiConsumer<ScanWindow, List<ParkedMessage>> use) {
		String parkingLot = policy.topology().parkingLot();
		ReentrantLock lock = this.locks.computeIfAbsent(parkingLot, (queue) -> new ReentrantLock(true));
		if (!locked(lock)) {
			throw ScanRefusedException.busy(parkingLot);
		}
		try {
			ParkingLotScan scan = openRenewed(policy);
			try {
				use.accept(scan.window(), scan.held().stream().map(reader).sorted(OLDEST_FIRST).toList());
			}
			finally {
				scan.giveBack();
			}
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
		boolean settled = false;
		try {
			renewed = this.renewal.renew(policy, scan.held());
		}
		finally {
			settled = scan.giveBack();
		}
		if (!settled) {
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

}
