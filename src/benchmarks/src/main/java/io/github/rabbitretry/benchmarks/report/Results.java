/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.database.Database;

/**
 * Takes the figures of a benchmark.
 */
public final class Results {

	private final List<Figure> figures = new ArrayList<>();

	private final Set<String> servers = new TreeSet<>();

	/**
	 * Starts a broker, and notes its version.
	 * @return a broker, to be closed
	 */
	public Broker startBroker() {
		Broker broker = Broker.start();
		System.err.println(broker.description());
		this.servers.add("RabbitMQ " + broker.version());
		return broker;
	}

	/**
	 * Starts a database, and notes which it is.
	 * @return a database, to be closed
	 */
	public Database startDatabase() {
		Database database = Database.start();
		System.err.println(database.description());
		this.servers.add(database.description());
		return database;
	}

	/**
	 * Adds a figure.
	 * @param figure what was measured
	 */
	public void add(Figure figure) {
		System.err.println(MarkdownTable.row("", figure));
		this.figures.add(figure);
	}

	List<Figure> figures() {
		return this.figures;
	}

	Set<String> servers() {
		return this.servers;
	}

}
