/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What faults did to messages, in all runs that a file records.
 *
 * @param file a line for each fault that happened
 */
public record ChaosTable(Path file) {

	private static final String HEAD = """
			| fault | runs | confirmed | lost | duplicated | out of order | seconds to recover: median | max |
			|---|--:|--:|--:|--:|--:|--:|--:|
			""";

	/**
	 * Records a run.
	 * @param seed its seed
	 * @param versions of what it ran on
	 * @param rows its faults
	 * @throws IOException if the file can't be written
	 */
	public void add(long seed, String versions, List<Row> rows) throws IOException {
		Files.createDirectories(this.file.getParent());
		Files.write(this.file, rows.stream().map((row) -> "%s\t%d\t%s".formatted(versions, seed, row.line())).toList(),
				StandardOpenOption.CREATE, StandardOpenOption.APPEND);
	}

	/**
	 * Adds all runs up.
	 * @return the table
	 * @throws IOException if the file can't be read
	 */
	public String print() throws IOException {
		Map<String, List<Row>> byFault = new TreeMap<>();
		Set<String> runs = new HashSet<>();
		for (String line : Files.readAllLines(this.file)) {
			String[] columns = line.split("\t", 3);
			runs.add("%s with seed %s".formatted(columns[0], columns[1]));
			Row row = Row.parse(columns[2]);
			byFault.computeIfAbsent(row.fault(), (fault) -> new ArrayList<>()).add(row);
			byFault.computeIfAbsent("all", (fault) -> new ArrayList<>()).add(row);
		}
		return byFault.entrySet()
			.stream()
			.map((entry) -> summary(entry.getKey(), entry.getValue()))
			.collect(Collectors.joining("", HEAD, runs.stream().sorted().collect(Collectors.joining("; ")) + "\n"));
	}

	private static String summary(String fault, List<Row> rows) {
		double[] seconds = rows.stream().mapToDouble(Row::seconds).sorted().toArray();
		return "| %s | %d | %d | %d | %d | %d | %.1f | %.1f |%n".formatted(fault, rows.size(),
				rows.stream().mapToInt(Row::confirmed).sum(), rows.stream().mapToInt(Row::lost).sum(),
				rows.stream().mapToInt(Row::duplicated).sum(), rows.stream().mapToInt(Row::outOfOrder).sum(),
				seconds[seconds.length / 2], seconds[seconds.length - 1]);
	}

	/**
	 * One fault that happened.
	 *
	 * @param fault which
	 * @param confirmed messages that were published since it began
	 * @param lost those of them that did not end
	 * @param duplicated ends since it began of messages that had ended before
	 * @param outOfOrder messages handled for the first time after later ones of their key
	 * @param seconds until messages flowed again
	 */
	public record Row(String fault, int confirmed, int lost, int duplicated, int outOfOrder, double seconds) {

		private String line() {
			return "%s\t%d\t%d\t%d\t%d\t%.1f".formatted(this.fault, this.confirmed, this.lost, this.duplicated,
					this.outOfOrder, this.seconds);
		}

		private static Row parse(String line) {
			String[] columns = line.split("\t");
			return new Row(columns[0], Integer.parseInt(columns[1]), Integer.parseInt(columns[2]),
					Integer.parseInt(columns[3]), Integer.parseInt(columns[4]), Double.parseDouble(columns[5]));
		}

	}

}
