/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.broker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A RabbitMQ on disk that a node can be started from.
 *
 * @param server the script {@code rabbitmq-server}
 * @param version the version of the files
 * @param origin where it comes from, for people
 * @param environment what its programs need to find each other
 */
record Installation(Path server, String version, String origin, Map<String, String> environment) {

	private static final Pattern CORE = Pattern.compile("rabbit-(\\d+\\.\\d+[0-9A-Za-z.+-]*?)(\\.ez)?");

	Path tool(String name) {
		return this.server.resolveSibling(name);
	}

	/**
	 * The version of the broker's core next to its scripts: reading it takes no Erlang
	 * and no cookie, as asking {@code rabbitmqctl} would.
	 * @param server the script {@code rabbitmq-server}, with links resolved
	 * @return the version, if the files are laid out as RabbitMQ lays them out
	 */
	static Optional<String> versionOf(Path server) {
		Path plugins = server.resolveSibling("../plugins").normalize();
		if (!Files.isDirectory(plugins)) {
			return Optional.empty();
		}
		try (Stream<Path> files = Files.list(plugins)) {
			return files.map((file) -> CORE.matcher(file.getFileName().toString()))
				.filter(Matcher::matches)
				.map((matcher) -> matcher.group(1))
				.findFirst();
		}
		catch (IOException ex) {
			return Optional.empty();
		}
	}

}
