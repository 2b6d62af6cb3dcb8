/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.registry;

import java.time.OffsetDateTime;
import java.util.List;

import io.github.rabbitretry.internal.message.HeaderText;
import io.github.rabbitretry.internal.parking.ledger.LedgerSchema;
import io.github.rabbitretry.internal.parking.ledger.LedgerTransactions;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.namedparam.EmptySqlParameterSource;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;

/**
 * The services that share a ledger, one row for each, whichever of its instances wrote it
 * last.
 */
public final class ServiceRegistry {

	/** In which a service that still runs has said so many times. */
	private static final String GONE = "seen_at < current_timestamp - interval '30' day";

	/** What only says that the service still runs does not count as registering. */
	private static final String UPDATE = """
			update rabbit_retry_service set registered_at = case when handler_version = :version and policies = :policies
				then registered_at else current_timestamp end,
				handler_version = :version, policies = :policies, seen_at = current_timestamp
			where application = :application""";

	private static final String INSERT = """
			insert into rabbit_retry_service (application, handler_version, registered_at, seen_at, policies)
			values (:application, :version, current_timestamp, current_timestamp, :policies)""";

	/** What the column holds. */
	private static final int LONGEST_NAME = 255;

	private final LedgerTransactions tables;

	/**
	 * Creates the registry.
	 * @param schema the ledger's tables
	 */
	public ServiceRegistry(LedgerSchema schema) {
		this.tables = new LedgerTransactions(schema);
	}

	/**
	 * Registers a service, or says that it still runs, and deletes services that have not
	 * said so for 30 days.
	 * @param application its name
	 * @param handlerVersion its version
	 * @param policies its policies, as text
	 */
	public void register(String application, String handlerVersion, String policies) {
		MapSqlParameterSource row = new MapSqlParameterSource("application", application)
			.addValue("version", HeaderText.bounded(handlerVersion, LONGEST_NAME))
			.addValue("policies", policies);
		try {
			write(row);
		}
		catch (DuplicateKeyException ex) {
			// another instance has just done it
			write(row);
		}
		this.tables.update("delete from rabbit_retry_service where " + GONE, EmptySqlParameterSource.INSTANCE);
	}

	private void write(MapSqlParameterSource row) {
		this.tables.inTransaction(() -> {
			int updated = this.tables.update(UPDATE, row);
			return (updated != 0) ? updated : this.tables.update(INSERT, row);
		});
	}

	/** The services that run or did so lately, the last one registered first. */
	List<Registration> registrations() {
		return this.tables.jdbc()
			.query("select application, handler_version, registered_at, policies from rabbit_retry_service where not "
					+ GONE + " order by registered_at desc, application",
					(row, number) -> new Registration(new RegisteredService(row.getString(1), row.getString(2),
							row.getObject(3, OffsetDateTime.class).toInstant(), null), row.getString(4)));
	}

	/**
	 * What a service wrote.
	 *
	 * @param service who and when
	 * @param policies its policies
	 */
	record Registration(RegisteredService service, String policies) {
	}

}
