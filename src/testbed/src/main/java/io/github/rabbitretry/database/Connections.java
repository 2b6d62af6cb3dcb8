/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.database;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;

/**
 * How to connect to a server.
 *
 * @param server what URLs begin with, up to the database's name
 * @param database the database to begin with
 * @param username the user
 * @param password the user's password
 */
record Connections(String server, String database, String username, String password) {

	String url() {
		return this.server + this.database;
	}

	String version() throws SQLException {
		try (Connection connection = open()) {
			return connection.getMetaData().getDatabaseProductVersion();
		}
	}

	String createDatabase() {
		String name = "rabbit_retry_" + UUID.randomUUID().toString().replace("-", "");
		try (Connection connection = open(); Statement statement = connection.createStatement()) {
			statement.execute("create database " + name);
			return this.server + name;
		}
		catch (SQLException ex) {
			throw new IllegalStateException("no database can be created at " + url(), ex);
		}
	}

	Connection open() throws SQLException {
		return DriverManager.getConnection(url(), this.username, this.password);
	}

}
