/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ledger;

import java.io.IOException;
import java.net.URI;
import java.util.List;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.rabbitretry.internal.parking.ingestion.IngestionSettings;
import io.github.rabbitretry.internal.parking.ingestion.LedgerIngestion;

import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;

/**
 * Ingestion and nothing else, in this JVM or, to be killed, in one of its own, until its
 * standard input ends, which it does with the test's JVM too.
 */
class LedgerWorker implements AutoCloseable {

	private final CachingConnectionFactory connectionFactory;

	private final LedgerIngestion ingestion;

	LedgerWorker(String broker, DataSource dataSource, String queue, int batchSize) {
		this.connectionFactory = new CachingConnectionFactory(URI.create(broker));
		LedgerSchema schema = new LedgerSchema(dataSource, SchemaInitialization.ALWAYS);
		schema.prepare();
		this.ingestion = new LedgerIngestion(this.connectionFactory, schema, List.of(Parking.policy(queue)),
				Parking.NAMES, new IngestionSettings(batchSize, IngestionSettings.DEFAULT_BATCH_BYTES), false);
		beforeStart();
		this.ingestion.start();
	}

	/** For a test that wants something to happen once the tables are there. */
	void beforeStart() {
	}

	@Override
	public void close() {
		this.ingestion.stop();
		this.connectionFactory.destroy();
	}

	/**
	 * Runs until the end of standard input.
	 * @param arguments the broker, the database, its user, the password, the work queue,
	 * the batch size
	 */
	public static void main(String[] arguments) throws IOException {
		HikariConfig database = new HikariConfig();
		database.setJdbcUrl(arguments[1]);
		database.setUsername(arguments[2]);
		database.setPassword(arguments[3]);
		database.setMaximumPoolSize(2);
		try (HikariDataSource dataSource = new HikariDataSource(database);
				LedgerWorker worker = new LedgerWorker(arguments[0], dataSource, arguments[4],
						Integer.parseInt(arguments[5]))) {
			while (System.in.read() >= 0) {
				// until the end
			}
		}
	}

}
