/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.database;

/**
 * A server as its clients see it.
 */
abstract class ReachableDatabase implements Database {

	private final Connections connections;

	ReachableDatabase(Connections connections) {
		this.connections = connections;
	}

	Connections connections() {
		return this.connections;
	}

	@Override
	public final String url() {
		return this.connections.url();
	}

	@Override
	public final String username() {
		return this.connections.username();
	}

	@Override
	public final String password() {
		return this.connections.password();
	}

	@Override
	public final String createDatabase() {
		return this.connections.createDatabase();
	}

}
