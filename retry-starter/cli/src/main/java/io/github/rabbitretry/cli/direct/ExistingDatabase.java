/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.direct;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

import io.github.rabbitretry.cli.service.ExitCode;
import io.github.rabbitretry.cli.service.ServiceException;

/**
 * Has a database opened, and never created: H2 makes a new one where there is none, as in
 * the folder that the command happens to be called in.
 */
final class ExistingDatabase {

	private static final String H2 = "jdbc:h2:";

	/** What would create something, or would allow it; a backslash quotes a semicolon. */
	private static final Pattern CREATING = Pattern
		.compile("(?i);\\s*(INIT|IFEXISTS|FORBID_CREATION)\\s*=(\\\\.|[^;\\\\])*");

	private ExistingDatabase() {
	}

	/**
	 * Has nothing created.
	 * @param url a database's URL
	 * @return the URL of the same database, if it is there
	 * @throws ServiceException if it can't be there for this process
	 */
	static String only(String url) {
		if (!url.regionMatches(true, 0, H2, 0, H2.length())) {
			return url;
		}
		String name = url.substring(H2.length()).replaceFirst(";.*", "");
		if (name.startsWith("mem:")) {
			throw new ServiceException(ExitCode.USAGE,
					"The database %s%s is in the service's own memory. Ask the service: --url.".formatted(H2, name));
		}
		if (!name.matches("(tcp|ssl|zip|nio|nioMapped|split|nioMemFS|memFS):.*")) {
			Path file = Path
				.of(name.replaceFirst("^file:", "").replaceFirst("^~", System.getProperty("user.home")) + ".mv.db");
			if (!Files.exists(file)) {
				throw new ServiceException(ExitCode.UNAVAILABLE,
						"There is no database %s, and none is created. A relative path begins where the command is called."
							.formatted(file.toAbsolutePath().normalize()));
			}
		}
		return CREATING.matcher(url).replaceAll("") + ";IFEXISTS=TRUE";
	}

}
