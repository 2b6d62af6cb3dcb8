/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it.listeners;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * The page about kinds of listeners.
 */
public final class ListenerPage {

	private ListenerPage() {
	}

	/**
	 * The rows of a section's table.
	 * @param heading the section's heading
	 * @return the header and the rows, each as its cells
	 */
	public static List<List<String>> table(String heading) {
		return read().lines()
			.dropWhile((line) -> !line.equals("## " + heading))
			.skip(1)
			.takeWhile((line) -> !line.startsWith("## "))
			.filter((line) -> line.startsWith("| "))
			.map((line) -> Arrays.stream(line.substring(1, line.length() - 1).split("\\|")).map(String::strip).toList())
			.toList();
	}

	private static String read() {
		try {
			return Files.readString(Path.of("..", "..", "src", "docs", "listeners.md"));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
