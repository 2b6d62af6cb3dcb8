/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.scan;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.ToLongFunction;

import io.github.rabbitretry.policy.MessagePolicy;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;

/**
 * Scans parking lots, each one's by one thread at a time: a second scan of a queue would
 * find it empty.
 */
final class ParkingLotScanner {

	private final ConnectionFactory connectionFactory;

	private final ScanSettings settings;

	private final Map<String, ReentrantLock> locks = new ConcurrentHashMap<>();

	ParkingLotScanner(ConnectionFactory connectionFactory, ScanSettings settings) {
		this.connectionFactory = connectionFactory;
		this.settings = settings;
	}

	/**
	 * Does something with a window.
	 * @param policy whose parking lot
	 * @param use what to do while the window is held; it returns how many messages it
	 * acknowledged
	 * @throws ScanRefusedException if it is another request's turn for too long, or the
	 * queue can't be consumed
	 */
	void scan(MessagePolicy policy, ToLongFunction<ParkingLotScan> use) {
		String parkingLot = policy.topology().parkingLot();
		ReentrantLock lock = this.locks.computeIfAbsent(parkingLot, (queue) -> new ReentrantLock(true));
		if (!locked(lock)) {
			throw ScanRefusedException.busy(parkingLot);
		}
		try {
			ParkingLotScan scan = ParkingLotScan.open(this.connectionFactory, policy, this.settings);
			long settled = scan.held().size();
			try {
				settled = use.applyAsLong(scan);
			}
			finally {
				scan.giveBack(settled);
			}
		}
		finally {
			lock.unlock();
		}
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
