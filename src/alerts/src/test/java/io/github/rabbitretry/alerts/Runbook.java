/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.alerts;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What the runbook tells its reader to configure and to type in.
 */
final class Runbook {

	private static final Pattern YAML = Pattern.compile("(?s)```yaml\\n( *management:.*?)```");

	private static final Pattern COMMAND = Pattern.compile("`rabbitmqctl ([^`|]+)");

	private Runbook() {
	}

	static String text() {
		try {
			return Files.readString(DocumentedNames.ROOT.resolve("src/docs/runbook.md"));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** The properties of a service. */
	static String configuration() {
		return YAML.matcher(text())
			.results()
			.map((block) -> block.group(1).stripIndent())
			.collect(Collectors.joining("\n---\n"));
	}

	/** The arguments of {@code rabbitmqctl}. */
	static List<String[]> commands(String virtualHost) {
		return COMMAND.matcher(text())
			.results()
			.map((command) -> command.group(1).replace("VHOST", virtualHost).strip().split("\\s+"))
			.toList();
	}

}
