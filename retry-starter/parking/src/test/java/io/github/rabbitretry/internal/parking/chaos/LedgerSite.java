/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.chaos;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

import io.github.rabbitretry.chaos.Evidence;
import io.github.rabbitretry.it.JavaProcess;
import io.github.rabbitretry.it.TestBroker;
import org.awaitility.Awaitility;

/**
 * Messages that are parked all the time, and an application that stores and replays them.
 */
final class LedgerSite implements AutoCloseable {

	/** Seconds that outlast the timeout of a socket and the lease of a replay. */
	static final int LONG = (int) LedgerApplication.LEASE.toSeconds() + LedgerDatabase.SOCKET_TIMEOUT;

	private static final String QUEUE = "chaos.ledger";

	private static final String PARKING_LOT = QUEUE + ".parking-lot";

	private static final String ORDER = "--rabbit-retry.message-policies.Order.";

	private final TestBroker broker = TestBroker.connect();

	private final Path folder;

	private final Random random;

	private final Evidence evidence;

	private final LedgerDatabase database;

	private final ParkedProducer producer;

	private JavaProcess application;

	LedgerSite(LedgerDatabase database, Path folder, long seed) {
		this.database = database;
		this.folder = folder;
		this.random = new Random(seed);
		this.evidence = new Evidence(folder.resolve("handled.txt"));
		this.broker.deleteAll(QUEUE);
		startApplication();
		this.application.await(() -> this.broker.queues(QUEUE).contains(PARKING_LOT));
		database.prepareDisk();
		this.producer = new ParkedProducer(PARKING_LOT);
	}

	Random random() {
		return this.random;
	}

	ParkedProducer producer() {
		return this.producer;
	}

	LedgerDatabase database() {
		return this.database;
	}

	JavaProcess application() {
		return this.application;
	}

	/** The numbers of the messages that arrived in the work queue, in that order. */
	List<Integer> arrived() {
		return this.evidence.since(0);
	}

	/** For so many seconds, and a fraction that the seed decides. */
	void pause(int seconds) {
		Duration pause = Duration.ofMillis(1_000L * seconds + this.random.nextInt(500));
		Awaitility.await().pollDelay(pause).atMost(pause.plusSeconds(30)).until(() -> true);
	}

	/**
	 * Waits until a message that is parked from now on was stored and replayed.
	 * @return how many seconds that took
	 */
	double awaitFlow() {
		long begin = System.nanoTime();
		int before = this.producer.confirmed();
		long size = this.evidence.size();
		Awaitility.await()
			.atMost(Duration.ofMinutes(3))
			.pollInterval(Duration.ofMillis(100))
			.failFast("the application ended", () -> !this.application.alive())
			.until(() -> this.evidence.since(size).stream().anyMatch((number) -> number > before));
		return (System.nanoTime() - begin) / 1e9;
	}

	void startApplication() {
		List<String> arguments = new ArrayList<>(TestBroker.arguments());
		arguments.addAll(List.of("--spring.datasource.url=" + this.database.url(),
				"--spring.datasource.username=" + this.database.username(),
				"--spring.datasource.password=" + this.database.password(),
				"--spring.datasource.hikari.connection-timeout=3000",
				"--spring.datasource.hikari.validation-timeout=1000", "--spring.flyway.enabled=false",
				"--spring.main.banner-mode=off", "--spring.application.name=chaos",
				"--rabbit-retry.ledger.initialize-schema=always", "--chaos.queue=" + QUEUE,
				"--chaos.evidence=" + this.folder.resolve("handled.txt"), ORDER + "queue=" + QUEUE,
				"--spring.rabbitmq.listener.simple.prefetch=" + LedgerApplication.IN_FLIGHT,
				// a kill counts for all that the application holds
				ORDER + "delivery-limit=1000", ORDER + "poison.quarantine-after=0"));
		this.application = JavaProcess.start(LedgerApplication.class, 256, this.folder, arguments);
	}

	void restartApplication() {
		this.application.kill();
		startApplication();
	}

	/** Ends the load, and waits until every message is replayed. */
	void settle() {
		this.producer.close();
		Awaitility.await()
			.atMost(Duration.ofMinutes(2))
			.during(Duration.ofSeconds(3))
			.pollInterval(Duration.ofMillis(200))
			.until(() -> this.broker.ready(PARKING_LOT) == 0 && this.broker.ready(QUEUE) == 0
					&& this.database.sql("""
							select (select count(*) from rabbit_retry_parked where state <> 'REPLAYED')
								+ (select count(*) from rabbit_retry_replay_job where state = 'RUNNING')""")
						.query(Long.class)
						.single() == 0);
		this.application.stop();
	}

	/**
	 * The confirmed messages that are neither in the ledger nor in the parking lot, and
	 * those that were replayed and did not arrive. To be asked for after the end.
	 */
	Set<Integer> missing() {
		Set<Integer> arrived = new HashSet<>(arrived());
		Set<Integer> missing = new TreeSet<>(IntStream.rangeClosed(1, this.producer.confirmed()).boxed().toList());
		this.broker.drain(PARKING_LOT)
			.forEach((message) -> missing.remove(Integer.valueOf(new String(message.getBody()))));
		this.database.sql("select message_id, state from rabbit_retry_parked").query((row) -> {
			Integer number = Integer.valueOf(row.getString(1).substring("m-".length()));
			if (!row.getString(2).equals("REPLAYED") || arrived.contains(number)) {
				missing.remove(number);
			}
		});
		return missing;
	}

	/** How many rows there are for messages that have one. */
	long storedAgain() {
		return this.database.sql("select count(*) - count(distinct message_id) from rabbit_retry_parked")
			.query(Long.class)
			.single();
	}

	@Override
	public void close() {
		this.application.kill();
		this.producer.close();
		this.broker.deleteAll(QUEUE);
		this.broker.close();
	}

}
