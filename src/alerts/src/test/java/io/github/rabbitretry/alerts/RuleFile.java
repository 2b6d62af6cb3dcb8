/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.alerts;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * The alerts as they are delivered.
 */
final class RuleFile {

	static final Path PATH = Path.of("rabbit-retry.rules.yml").toAbsolutePath();

	private static final Pattern ALERT = Pattern.compile("(?m)^ +- alert: (\\w+)$");

	private static final Pattern RUNBOOK = Pattern.compile("runbook_url: (\\S+)");

	/** Times that are no label: {@code for: 5m}, {@code [15m]}, {@code offset 60m}. */
	private static final Pattern MINUTES = Pattern.compile("(?<=for: |\\[|offset )(\\d+)m");

	private RuleFile() {
	}

	static String text() {
		try {
			return Files.readString(PATH);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static List<String> alerts() {
		return all(ALERT);
	}

	static List<String> runbookUrls() {
		return all(RUNBOOK);
	}

	private static List<String> all(Pattern pattern) {
		return pattern.matcher(text()).results().map((found) -> found.group(1)).toList();
	}

	/**
	 * The same alerts in a shorter time. Thresholds stay as they are.
	 * @param folder where to
	 * @param secondsForAMinute how many seconds stand for a minute
	 * @return the file
	 */
	static Path shortened(Path folder, int secondsForAMinute) throws IOException {
		return Files.writeString(folder.resolve("rules.yml"),
				MINUTES.matcher(text()).replaceAll((found) -> seconds(found, secondsForAMinute)));
	}

	private static String seconds(MatchResult minutes, int secondsForAMinute) {
		return Integer.parseInt(minutes.group(1)) * secondsForAMinute + "s";
	}

}
