/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ledger;

import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.util.ClassUtils;

/**
 * Connections that answer {@code isValid()} and can do nothing, so that a pool would hand
 * them out for good. Hikari is asked to replace all of its connections then.
 */
final class UselessConnections {

	/**
	 * Of H2 after it closed a file that it could not write, and of a PostgreSQL server
	 * that has become read-only in a failover.
	 */
	private static final Set<String> STATES = Set.of("90098", "25006");

	private static final boolean HIKARI = ClassUtils.isPresent("com.zaxxer.hikari.HikariDataSource",
			UselessConnections.class.getClassLoader());

	private static final Log logger = LogFactory.getLog(UselessConnections.class);

	private UselessConnections() {
	}

	/** A template whose failures show them. */
	static JdbcTemplate template(DataSource dataSource) {
		return new JdbcTemplate(dataSource) {

			@Override
			protected DataAccessException translateException(String task, @Nullable String sql, SQLException ex) {
				evict(dataSource, ex);
				return super.translateException(task, sql, ex);
			}

		};
	}

	/** Has the pool replace its connections, if a failure shows that they are useless. */
	static void evict(DataSource dataSource, SQLException failure) {
		if (HIKARI && STATES.contains(String.valueOf(failure.getSQLState()))) {
			pool(dataSource).map(HikariDataSource::getHikariPoolMXBean)
				.ifPresent(HikariPoolMXBean::softEvictConnections);
		}
	}

	/** Where a pool connects to, known before it has connected. */
	static Optional<String> url(DataSource dataSource) {
		return HIKARI ? pool(dataSource).map(HikariDataSource::getJdbcUrl) : Optional.empty();
	}

	private static Optional<HikariDataSource> pool(DataSource dataSource) {
		try {
			return dataSource.isWrapperFor(HikariDataSource.class)
					? Optional.of(dataSource.unwrap(HikariDataSource.class)) : Optional.empty();
		}
		catch (SQLException ex) {
			logger.debug("Nothing is known of the pool", ex);
			return Optional.empty();
		}
	}

}
