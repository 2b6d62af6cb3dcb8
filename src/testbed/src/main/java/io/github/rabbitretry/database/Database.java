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
	 * Whether this server can be killed, stopped, frozen, followed and started again. A
	 * named one refuses that with an {@link IllegalStateException}.
	 * @return {@code false} for a named server
	 */
	boolean canControl();

	/**
	 * Ends all processes of the server with SIGKILL and keeps its data. Does nothing to
	 * one that does not run.
	 */
	void kill();

	/**
	 * Has the server end its connections, write a checkpoint and stop.
	 */
	void stop();

	/**
	 * Stops all processes of the server where they are; its connections stay open.
	 */
	void freeze();

	/**
	 * Lets a frozen server go on.
	 */
	void unfreeze();

	/**
	 * Starts a killed or stopped server on the same port with the same data, and waits
	 * until it answers. Does nothing to one that runs.
	 */
	void startAgain();

	/**
	 * Creates a server with an address of its own and the credentials of this one, which
	 * does not run until it follows another one.
	 * @return the server
	 */
	Database standby();

	/**
	 * Ends the server, throws its data away, and starts it as a streaming standby of
	 * another one.
	 * @param primary the server of which this is a {@link #standby()}, or the other way
	 * round
	 */
	void follow(Database primary);

	/**
	 * Stops what was started, and removes its data. A second call does nothing.
	 */
	@Override
	void close();

}
