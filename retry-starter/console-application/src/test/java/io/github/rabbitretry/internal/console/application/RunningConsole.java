/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console.application;

import java.util.Arrays;
import java.util.UUID;
import java.util.stream.Stream;

import io.github.rabbitretry.internal.parking.ledger.LedgerSchema;
import io.github.rabbitretry.internal.parking.ledger.SchemaInitialization;

import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * The operations application in this process, with an empty ledger and without a broker.
 */
final class RunningConsole implements AutoCloseable {

	/** Named by what they may do. */
	static final String[] USERS = { password("viewer"), roles("viewer", "VIEWER"), password("operator"),
			roles("operator", "OPERATOR"), password("reader"), roles("reader", "BODY_READER"), password("editor"),
			roles("editor", "EDITOR,BODY_READER") };

	static final String PASSWORD = "secret";

	private final ConfigurableApplicationContext context;

	private RunningConsole(ConfigurableApplicationContext context) {
		this.context = context;
	}

	static RunningConsole start(String... properties) {
		String database = database();
		new LedgerSchema(new DriverManagerDataSource(database, "sa", ""), SchemaInitialization.ALWAYS).prepare();
		return startWith(database, properties);
	}

	static RunningConsole startWith(String database, String... properties) {
		// nothing listens at port 1
		return new RunningConsole(SpringApplication.run(ConsoleApplication.class, Stream
			.concat(Stream.of("server.port=0", "spring.rabbitmq.host=127.0.0.1", "spring.rabbitmq.port=1",
					"spring.datasource.url=" + database, "spring.datasource.username=sa"), Arrays.stream(properties))
			.map("--"::concat)
			.toArray(String[]::new)));
	}

	static String database() {
		return "jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1".formatted(UUID.randomUUID());
	}

	private static String password(String user) {
		return "rabbit-retry.console.users.%s.password={noop}secret".formatted(user);
	}

	private static String roles(String user, String roles) {
		return "rabbit-retry.console.users.%s.roles=%s".formatted(user, roles);
	}

	ConfigurableApplicationContext context() {
		return this.context;
	}

	String address(String path) {
		return "http://127.0.0.1:%s%s".formatted(this.context.getEnvironment().getRequiredProperty("local.server.port"),
				path);
	}

	@Override
	public void close() {
		this.context.close();
	}

}
