/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import java.nio.file.Path;
import java.util.List;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/**
 * Options that every command has.
 */
final class GlobalOptions {

	@Option(names = "--url", paramLabel = "URL", scope = ScopeType.INHERIT, order = 100,
			description = "actuator of a running service; default: RABBIT_RETRY_URL or http://127.0.0.1:8080/actuator")
	@Nullable String url;

	@Option(names = "--login", paramLabel = "NAME", scope = ScopeType.INHERIT, order = 101,
			description = "log in with this name and the password from RABBIT_RETRY_PASSWORD, a file or the terminal")
	@Nullable String login;

	@Option(names = "--password-file", paramLabel = "FILE", scope = ScopeType.INHERIT, order = 102,
			description = "file that contains the password")
	@Nullable Path passwordFile;

	@Option(names = "--token-file", paramLabel = "FILE", scope = ScopeType.INHERIT, order = 103,
			description = "file that contains a bearer token, instead of RABBIT_RETRY_TOKEN")
	@Nullable Path tokenFile;

	@Option(names = "--ca-file", paramLabel = "FILE", scope = ScopeType.INHERIT, order = 103,
			description = "PEM certificates of the authorities to trust for HTTPS, instead of those of the JVM;"
					+ " default: RABBIT_RETRY_CA_FILE")
	@Nullable Path caFile;

	@Option(names = "--timeout", paramLabel = "SECONDS", scope = ScopeType.INHERIT, order = 104,
			description = "how long to wait for a response; default: 60")
	int timeout = 60;

	@Option(names = "--config", paramLabel = "FILE", scope = ScopeType.INHERIT, order = 105,
			description = "for doctor, topology, export and simulate without a service: its application.yml;"
					+ " later files override earlier ones")
	List<Path> config = List.of();

	@Option(names = "--broker", paramLabel = "URI", scope = ScopeType.INHERIT, order = 106,
			description = "with --config: a broker other than the one in that file, such as amqp://user@host:5672")
	@Nullable String broker;

	@Option(names = "--application", paramLabel = "NAME", scope = ScopeType.INHERIT, order = 108,
			description = "with --config: the service's spring.application.name, if the file does not set it")
	@Nullable String application;

	@Option(names = "--output", paramLabel = "table|json", scope = ScopeType.INHERIT, order = 109,
			description = "output format; json is the service's response")
	Output output = Output.table;

	@Option(names = "--wide", scope = ScopeType.INHERIT, order = 110, description = "do not truncate columns of tables")
	boolean wide;

	@Option(names = "--verbose", scope = ScopeType.INHERIT, order = 111,
			description = "with --config: show the log on standard error")
	boolean verbose;

	@Option(names = { "-h", "--help" }, usageHelp = true, scope = ScopeType.INHERIT, order = 112,
			description = "show this help")
	boolean help;

	boolean direct() {
		return !this.config.isEmpty();
	}

	/**
	 * How answers are printed.
	 */
	enum Output {

		// the names are what users type
		table, json

	}

}
