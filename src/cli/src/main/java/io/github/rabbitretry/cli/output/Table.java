/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.output;

import java.util.ArrayList;
import java.util.List;

/**
 * Rows in columns as wide as what is in them. A column of which all cells are empty is
 * left out.
 */
final class Table {

	private static final int WIDEST = 40;

	private final List<String> names;

	private final boolean whole;

	private final List<List<String>> rows = new ArrayList<>();

	/**
	 * Creates a table.
	 * @param whole whether long cells are shown whole
	 * @param names the columns' names; a colon at the end has numbers stand to the right
	 */
	Table(boolean whole, String... names) {
		this.whole = whole;
		this.names = List.of(names);
	}

	Table row(String... cells) {
		this.rows.add(List.of(cells).stream().map(this::cell).toList());
		return this;
	}

	private String cell(String text) {
		String safe = SafeText.line(text);
		if (this.whole || safe.codePointCount(0, safe.length()) <= WIDEST) {
			return safe;
		}
		return safe.substring(0, safe.offsetByCodePoints(0, WIDEST - 1)) + "…";
	}

	/** Nothing, if there are no rows. */
	String text() {
		if (this.rows.isEmpty()) {
			return "";
		}
		List<Integer> shown = new ArrayList<>();
		for (int column = 0; column < this.names.size(); column++) {
			int index = column;
			if (this.rows.stream().anyMatch((row) -> !row.get(index).isEmpty())) {
				shown.add(column);
			}
		}
		StringBuilder text = new StringBuilder();
		line(text, shown, this.names.stream().map((name) -> name.replace(":", "")).toList());
		this.rows.forEach((row) -> line(text, shown, row));
		return text.toString();
	}

	private void line(StringBuilder text, List<Integer> shown, List<String> cells) {
		StringBuilder line = new StringBuilder();
		for (int column : shown) {
			String cell = cells.get(column);
			String padding = " ".repeat(width(column) - cell.codePointCount(0, cell.length()));
			line.append(this.names.get(column).endsWith(":") ? padding + cell : cell + padding).append("  ");
		}
		text.append(line.toString().stripTrailing()).append('\n');
	}

	private int width(int column) {
		int widest = this.names.get(column).replace(":", "").length();
		for (List<String> row : this.rows) {
			widest = Math.max(widest, row.get(column).codePointCount(0, row.get(column).length()));
		}
		return widest;
	}

}
