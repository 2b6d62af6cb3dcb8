/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.output;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import tools.jackson.databind.JsonNode;

/**
 * Rows below names of columns. Columns in which nothing stands are left out; on a
 * terminal, a table is as wide as that at most. Elsewhere, nothing is cut.
 */
final class Table {

	private static final int WIDEST = 40;

	private static final int NARROWEST = 14;

	private static final int GAP = 2;

	private static final Pattern COLUMN = Pattern.compile("(.*)=([A-Za-z/]+~?)");

	private final Display display;

	private final List<Column> columns = new ArrayList<>();

	private final List<List<String>> rows = new ArrayList<>();

	/**
	 * Creates a table.
	 * @param display how to show it
	 * @param names the columns' names; those that end with a colon are numbers, which
	 * stand to the right, those that end with an exclamation mark are never cut; those
	 * with a question mark after that go before they are cut; a path after {@code =} is
	 * where {@link #rows} finds the value, a time if it ends with {@code ~}
	 */
	Table(Display display, String... names) {
		this.display = display;
		for (String name : names) {
			this.columns.add(new Column(name));
		}
	}

	Table row(String... cells) {
		List<String> row = new ArrayList<>(cells.length);
		for (int index = 0; index < cells.length; index++) {
			String cell = SafeText.line(cells[index]);
			this.columns.get(index).holds(length(cell), this.display.whole());
			row.add(cell);
		}
		this.rows.add(row);
		return this;
	}

	Table rows(Iterable<JsonNode> nodes) {
		return rows(nodes, Map.of());
	}

	/**
	 * Adds a row for each node.
	 * @param nodes what has the values
	 * @param computed values of columns that have no path, by the columns' names
	 * @return this
	 */
	Table rows(Iterable<JsonNode> nodes, Map<String, Function<JsonNode, String>> computed) {
		for (JsonNode node : nodes) {
			row(this.columns.stream().map((column) -> column.value(node, computed)).toArray(String[]::new));
		}
		return this;
	}

	/** Nothing, if there are no rows. */
	String text() {
		if (this.rows.isEmpty()) {
			return "";
		}
		List<String> hidden = fit();
		StringBuilder text = new StringBuilder();
		String heading = line(this.columns.stream().map((column) -> column.name).toList(), false);
		text.append(this.display.colours() ? Colours.heading(heading) : heading).append('\n');
		this.rows.forEach((row) -> text.append(line(row, this.display.colours())).append('\n'));
		if (!hidden.isEmpty()) {
			text.append("Not shown: ").append(String.join(", ", hidden)).append(" (--wide).\n");
		}
		return text.toString();
	}

	/**
	 * Columns that would become too narrow to tell anything go, the last ones first; then
	 * the widest become narrower.
	 */
	private List<String> fit() {
		List<String> hidden = new ArrayList<>();
		if (this.display.whole()) {
			return hidden;
		}
		for (int index = this.columns.size() - 1; index >= 0 && width(NARROWEST) > this.display.width(); index--) {
			Column column = this.columns.get(index);
			if ((column.cuttable || column.leaves) && column.width > 0) {
				hidden.add(0, column.name);
				column.width = 0;
			}
		}
		int widest = WIDEST;
		while (widest > NARROWEST && width(widest) > this.display.width()) {
			widest--;
		}
		for (Column column : this.columns) {
			column.width = column.atMost(widest);
		}
		return hidden;
	}

	private int width(int widest) {
		int width = -GAP;
		for (Column column : this.columns) {
			width += (column.width > 0) ? column.atMost(widest) + GAP : 0;
		}
		return width;
	}

	private String line(List<String> cells, boolean colours) {
		StringBuilder line = new StringBuilder();
		int blanks = 0;
		for (int index = 0; index < cells.size(); index++) {
			Column column = this.columns.get(index);
			if (column.width == 0) {
				continue;
			}
			String cell = cut(cells.get(index), column.width);
			int padding = column.width - length(cell);
			blanks += column.number ? padding : 0;
			if (!cell.isEmpty()) {
				line.append(" ".repeat(blanks)).append(colours ? Colours.state(cells.get(index), cell) : cell);
				blanks = 0;
			}
			blanks += GAP + (column.number ? 0 : padding);
		}
		return line.toString();
	}

	private static String cut(String cell, int width) {
		return (length(cell) <= width) ? cell : cell.substring(0, cell.offsetByCodePoints(0, width - 1)) + "…";
	}

	private static int length(String text) {
		return text.codePointCount(0, text.length());
	}

	private final class Column {

		private final String name;

		private final String path;

		private final boolean number;

		private final boolean cuttable;

		private final boolean leaves;

		private int width;

		Column(String column) {
			Matcher found = COLUMN.matcher(column);
			String name = found.matches() ? found.group(1) : column;
			this.path = found.matches() ? found.group(2) : "";
			this.leaves = name.endsWith("?");
			this.number = name.contains(":");
			this.cuttable = !this.number && !name.contains("!");
			this.name = name.replaceAll("[:!?]+$", "");
		}

		String value(JsonNode node, Map<String, Function<JsonNode, String>> computed) {
			Function<JsonNode, String> function = computed.get(this.name);
			if (function != null) {
				return function.apply(node);
			}
			return this.path.endsWith("~")
					? Table.this.display.times().brief(FieldText.at(node, this.path.replace("~", "")))
					: FieldText.at(node, this.path);
		}

		int atMost(int widest) {
			return this.cuttable ? Math.min(this.width, widest) : this.width;
		}

		void holds(int length, boolean whole) {
			if (length > 0) {
				int most = (whole || !this.cuttable) ? length : Math.min(length, WIDEST);
				this.width = Math.max(this.width, Math.max(most, this.name.length()));
			}
		}

	}

}
