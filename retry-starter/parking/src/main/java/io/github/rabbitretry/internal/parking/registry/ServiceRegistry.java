/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.registry;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;

import io.github.rabbitretry.internal.message.HeaderText;
import io.github.rabbitretry.internal.parking.ledger.LedgerSchema;
import io.github.rabbitretry.internal.parking.ledger.LedgerTransactions;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.namedparam.EmptySqlParameterSource;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;

/**
 * The services that share a ledger. Instances with another version or other policies have
 * a row of their own, so that a rolling restart, or two deployments with one name, take
 * nothing from each other.
 */
public final class ServiceRegistry {

	private static final String GONE = "seen_at < current_timestamp - interval '30' day";

	/** In which an instance that still runs has said so several times. */
	private static final String RUNS = "seen_at > current_timestamp - interval '1' hour";

	private static final String KEY = " where application = :application and registration = :registration";

	private static final String STARTED = "update rabbit_retry_service set registered_at = current_timestamp, "
			+ "seen_at = current_timestamp" + KEY;

	private static final String SEEN = "update rabbit_retry_service set seen_at = current_timestamp" + KEY;

	private static final String INSERT = """
			insert into rabbit_retry_service (application, registration, handler_version, virtual_host, registered_at, seen_at,
				policies)
			values (:application, :registration, :version, :host, current_timestamp, current_timestamp, :policies)""";

	/** What the column holds. */
	private static final int LONGEST_VERSION = 255;

	private final LedgerTransactions tables;

	/**
	 * Creates the registry.
	 * @param schema the ledger's tables
	 */
	public ServiceRegistry(LedgerSchema schema) {
		this.tables = new LedgerTransactions(schema);
	}

	/**
	 * Registers an instance that starts.
	 * @param registration the service
	 */
	void started(Registration registration) {
		write(STARTED, registration);
	}

	/**
	 * Records that an instance still runs, and deletes what no instance has been seen
	 * with for 30 days.
	 * @param registration the service
	 */
	void seen(Registration registration) {
		write(SEEN, registration);
		this.tables.update("delete from rabbit_retry_service where " + GONE, EmptySqlParameterSource.INSTANCE);
	}

	private void write(String update, Registration registration) {
		MapSqlParameterSource row = new MapSqlParameterSource("application", registration.application())
			.addValue("registration", registration.id())
			.addValue("version", HeaderText.bounded(registration.handlerVersion(), LONGEST_VERSION))
			.addValue("host", registration.virtualHost())
			.addValue("policies", registration.policies());
		try {
			updateOrInsert(update, row);
		}
		catch (DuplicateKeyException ex) {
			// another instance has just done it
			updateOrInsert(update, row);
		}
	}

	private void updateOrInsert(String update, MapSqlParameterSource row) {
		this.tables.inTransaction(() -> {
			int updated = this.tables.update(update, row);
			return (updated != 0) ? updated : this.tables.update(INSERT, row);
		});
	}

	/** Those of the last 30 days, the last one that started first. */
	List<Stored> registrations() {
		return this.tables.jdbc()
			.query("select application, handler_version, virtual_host, policies, registered_at, " + RUNS
					+ ", max(seen_at) over (partition by application) from rabbit_retry_service where not " + GONE
					+ " order by registered_at desc, application, registration",
					(row, number) -> new Stored(
							new Registration(row.getString(1), row.getString(2), row.getString(3), row.getString(4)),
							row.getObject(5, OffsetDateTime.class).toInstant(), row.getBoolean(6),
							row.getObject(7, OffsetDateTime.class).toInstant()));
	}

	/**
	 * What an instance registers.
	 *
	 * @param application the service
	 * @param handlerVersion its version
	 * @param virtualHost where its queues are, or {@code null} if it is not known
	 * @param policies the keys of its policies
	 */
	public record Registration(String application, String handlerVersion, @Nullable String virtualHost,
			String policies) {

		/** The same for instances that do not differ. */
		String id() {
			String all = "%s\n%s\n%s".formatted(this.handlerVersion, this.virtualHost, this.policies);
			return UUID.nameUUIDFromBytes(all.getBytes(StandardCharsets.UTF_8)).toString();
		}

	}

	/**
	 * What is registered.
	 *
	 * @param registration the service
	 * @param startedAt when an instance last started with it
	 * @param runs whether an instance was seen with it within an hour
	 * @param seenAt when an instance of the service last said that it runs
	 */
	record Stored(Registration registration, Instant startedAt, boolean runs, Instant seenAt) {
	}

}
