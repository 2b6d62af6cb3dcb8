/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.database;

import java.sql.SQLException;
import java.util.Properties;

import io.github.rabbitretry.provision.Setting;
import org.postgresql.Driver;

/**
 * A server run by others. It is used, never controlled or stopped.
 */
final class NamedDatabase extends ReachableDatabase {

	private final String version;

	private NamedDatabase(Connections connections, String version) {
		super(connections);
		this.version = version;
	}

	static NamedDatabase connect(String named) {
		Properties parsed = Driver.parseURL(named, null);
		if (parsed == null) {
			throw new IllegalArgumentException("%s is no address of a PostgreSQL: %s".formatted(Setting.DATABASE,
					"write jdbc:postgresql://host:port/database?user=name&password=secret"));
		}
		Connections connections = new Connections(
				"jdbc:postgresql://%s:%s/".formatted(parsed.getProperty("PGHOST"), parsed.getProperty("PGPORT")),
				parsed.getProperty("PGDBNAME"), parsed.getProperty("user", "postgres"),
				parsed.getProperty("password", ""));
		try {
			return new NamedDatabase(connections, connections.version());
		}
		catch (SQLException ex) {
			throw new NoDatabaseException(
					"The PostgreSQL that %s names does not answer: %s".formatted(Setting.DATABASE, ex.getMessage()),
					ex);
		}
	}

	@Override
	public String description() {
		return "PostgreSQL %s, named, at %s".formatted(this.version, url());
	}

	@Override
	public boolean canControl() {
		return false;
	}

	@Override
	public void kill() {
		throw notOurs();
	}

	@Override
	public void stop() {
		throw notOurs();
	}

	@Override
	public void freeze() {
		throw notOurs();
	}

	@Override
	public void unfreeze() {
		throw notOurs();
	}

	@Override
	public void startAgain() {
		throw notOurs();
	}

	@Override
	public Database standby() {
		throw notOurs();
	}

	@Override
	public void follow(Database primary) {
		throw notOurs();
	}

	@Override
	public void close() {
		// it is run by others
	}

	private static IllegalStateException notOurs() {
		return new IllegalStateException(
				"The PostgreSQL is named by %s and can't be controlled. Unset it to have one started"
					.formatted(Setting.DATABASE));
	}

}
