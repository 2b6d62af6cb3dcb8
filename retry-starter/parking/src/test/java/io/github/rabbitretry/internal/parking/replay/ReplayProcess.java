/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

import com.zaxxer.hikari.HikariDataSource;
import io.github.rabbitretry.internal.connection.StopDeadline;
import io.github.rabbitretry.internal.handover.ConfirmedPublishers;
import io.github.rabbitretry.internal.handover.HandoverSettings;
import io.github.rabbitretry.internal.parking.ledger.JdbcLedger;
import io.github.rabbitretry.internal.parking.ledger.LedgerSchema;
import io.github.rabbitretry.internal.parking.ledger.SchemaInitialization;
import io.github.rabbitretry.internal.parking.publication.ReplayListener;
import io.github.rabbitretry.internal.parking.publication.ReplaySettings;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.TestPolicy;
import io.github.rabbitretry.parking.message.Ledger;
import io.github.rabbitretry.parking.replay.ReplayService;

import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;

/**
 * The worker and nothing else, in this JVM or, to be killed, in one of its own, until its
 * standard input ends, which it does with the test's JVM too.
 */
final class ReplayProcess implements AutoCloseable {

	static final int IN_FLIGHT = 40;

	private final HikariDataSource dataSource;

	private final CachingConnectionFactory connectionFactory;

	private final ConfirmedPublishers publishers;

	private final ReplayWorker worker;

	private final ReplayService service;

	ReplayProcess(String broker, String database, String user, String password) {
		this(broker, database, user, password, Duration.ofSeconds(1));
	}

	ReplayProcess(String broker, String database, String user, String password, Duration lease) {
		this.dataSource = new HikariDataSource();
		this.dataSource.setJdbcUrl(database);
		this.dataSource.setUsername(user);
		this.dataSource.setPassword(password);
		this.dataSource.setMaximumPoolSize(4);
		this.connectionFactory = new CachingConnectionFactory(URI.create(broker));
		LedgerSchema schema = new LedgerSchema(this.dataSource, SchemaInitialization.ALWAYS);
		Ledger ledger = new JdbcLedger(schema);
		ReplayStores stores = new ReplayStores(schema, ledger, "killed", InstantSource.system());
		MessagePolicies policies = new MessagePolicies(List.of(TestPolicy.order().build()));
		this.publishers = new ConfirmedPublishers(
				new HandoverSettings(100, Duration.ofSeconds(10), Duration.ofSeconds(5)));
		this.worker = new ReplayWorker(
				stores, this.connectionFactory, this.publishers, policies, new ReplaySettings(lease, IN_FLIGHT,
						Duration.ofMillis(50), 4, Duration.ofSeconds(10), Duration.ofDays(90), false),
				ReplayListener.NONE);
		this.worker.stopsWithin(new StopDeadline(Duration.ofSeconds(5)));
		this.service = new DefaultReplayService(stores, policies,
				new DryRunReader(stores, policies, (policy) -> true, "worker:2"::equals, this.connectionFactory),
				this.worker);
	}

	ReplayService service() {
		return this.service;
	}

	void start() {
		this.worker.start();
	}

	void stop() {
		this.worker.stop();
	}

	@Override
	public void close() {
		stop();
		this.publishers.close();
		this.connectionFactory.destroy();
		this.dataSource.close();
	}

	/**
	 * Works on replays until the end of standard input.
	 * @param arguments the broker, the database, its user, the password
	 * @throws IOException if standard input can't be read
	 */
	public static void main(String[] arguments) throws IOException {
		try (ReplayProcess process = new ReplayProcess(arguments[0], arguments[1], arguments[2], arguments[3])) {
			process.start();
			while (System.in.read() >= 0) {
				// until the end
			}
		}
	}

}
