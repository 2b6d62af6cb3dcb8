/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.database;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

import io.github.rabbitretry.provision.PassedOverException;

/**
 * What a standby starts from: a copy of the primary's files, made while it runs. The
 * binaries that come with this module lack {@code pg_basebackup}.
 */
final class StandbyData {

	private StandbyData() {
	}

	/**
	 * Replaces a server's files.
	 * @param primary leads to the primary
	 * @param from the primary's files
	 * @param to the standby's files
	 */
	static void copy(Connections primary, Path from, Path to) throws SQLException, PassedOverException, IOException {
		try (Connection connection = primary.open(); Statement statement = connection.createStatement()) {
			// since PostgreSQL 15
			statement.execute("select pg_backup_start('standby', true)");
			Programs.run(List.of("rm", "-rf", to.toString()));
			Programs.run(List.of("cp", "-a", from.toString(), to.toString()));
			try (ResultSet stopped = statement.executeQuery("select labelfile from pg_backup_stop()")) {
				stopped.next();
				Files.writeString(to.resolve("backup_label"), stopped.getString(1));
			}
		}
		Files.delete(to.resolve("postmaster.pid"));
		Files.createFile(to.resolve("standby.signal"));
		URI address = URI.create(primary.server().substring("jdbc:".length()));
		Files.writeString(
				to.resolve("postgresql.auto.conf"), "primary_conninfo = 'host=%s port=%s user=%s password=%s'%n"
					.formatted(address.getHost(), address.getPort(), primary.username(), primary.password()),
				StandardOpenOption.APPEND);
	}

}
