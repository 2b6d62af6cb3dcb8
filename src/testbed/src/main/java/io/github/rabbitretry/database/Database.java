/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.database;

import io.github.rabbitretry.provision.Settings;

/**
 * A running PostgreSQL. Which one it is, is decided by {@link #start()}.
 */
public interface Database extends AutoCloseable {

	/**
	 * Finds or starts a server: the one named by {@code RABBIT_RETRY_DATABASE}, else one
	 * from binaries that come with this module, else an installed one.
	 * @return a server that answers; {@link #close()} stops what was started for it
	 * @throws NoDatabaseException if there is none to be had, with the reason of each way
	 */
	static Database start() {
		return DatabaseChooser.start(Settings.ofThisProcess());
	}

	/**
	 * The one server of this JVM, started on first use and stopped when the JVM ends; its
	 * {@link #close()} does nothing.
	 * @return the same server for every caller
	 * @throws NoDatabaseException if there is none to be had, with the reason of each way
	 */
	static Database shared() {
		return DatabaseChooser.SHARED.get();
	}

	/**
	 * Where clients connect to.
	 * @return a JDBC URL without credentials
	 */
	String url();

	/**
	 * Who connects.
	 * @return a user who may create databases
	 */
	String username();

	/**
	 * The user's password.
	 * @return the password, perhaps empty
	 */
	String password();

	/**
	 * The server in one line.
	 * @return the way it was had, its version and its port
	 */
	String description();

	/**
	 * Creates an empty database on the server.
	 * @return its JDBC URL
	 */
	String createDatabase();

	/**
	 * Whether {@link #kill} and {@link #startAgain} work.
	 * @return {@code false} for a named server
	 */
	boolean canControl();

	/**
	 * Ends the server as a crash would and keeps its data. Does nothing to one that does
	 * not run.
	 * @throws IllegalStateException if the server is a named one
	 */
	void kill();

	/**
	 * Starts a killed server on the same port with the same data, and waits until it
	 * answers. Does nothing to one that runs.
	 * @throws IllegalStateException if the server is a named one
	 */
	void startAgain();

	/**
	 * Stops what was started, and removes its data. A second call does nothing.
	 */
	@Override
	void close();

}
