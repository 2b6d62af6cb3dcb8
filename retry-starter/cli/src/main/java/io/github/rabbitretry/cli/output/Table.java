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
 * terminal, long texts are cut.
 */
final class Table {

	private static final int WIDEST = 40;

	private static final int GAP = 2;

	private static final Pattern COLUMN = Pattern.compile("(.*)=([A-Za-z/]+~?)");

	private final Display display;

	private final List<Column> columns = new ArrayList<>();

	private final List<List<String>> rows = new ArrayList<>();

	/**
	 * Creates a table.
	 * @param display how to show it
	 * @param names the columns' names; those that end with a colon are numbers, which
	 * stand to the right, those that end with an exclamation mark are never cut; a path
	 * after {@code =} is where {@link #rows} finds the value, a time if it ends with
	 * {@code ~}
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
			row.add(this.columns.get(index).shown(SafeText.line(cells[index]), this.display));
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
		StringBuilder text = new StringBuilder();
		text.append(line(this.columns.stream().map((column) -> column.name).toList())).append('\n');
		this.rows.forEach((row) -> text.append(line(row)).append('\n'));
		return text.toString();
	}

	private String line(List<String> cells) {
		StringBuilder line = new StringBuilder();
		int blanks = 0;
		for (int index = 0; index < cells.size(); index++) {
			Column column = this.columns.get(index);
			if (column.width == 0) {
				continue;
			}
			String cell = cells.get(index);
			int padding = column.width - length(cell);
			blanks += column.number ? padding : 0;
			if (!cell.isEmpty()) {
				line.append(" ".repeat(blanks)).append(cell);
				blanks = 0;
			}
			blanks += GAP + (column.number ? 0 : padding);
		}
		return line.toString();
	}

	private static int length(String text) {
		return text.codePointCount(0, text.length());
	}

	private static final class Column {

		private final String name;

		private final String path;

		private final boolean number;

		private final boolean cuttable;

		private int width;

		Column(String column) {
			Matcher found = COLUMN.matcher(column);
			String name = found.matches() ? found.group(1) : column;
			this.path = found.matches() ? found.group(2) : "";
			this.number = name.endsWith(":");
			this.cuttable = !this.number && !name.endsWith("!");
			this.name = name.replaceAll("[:!]$", "");
		}

		String value(JsonNode node, Map<String, Function<JsonNode, String>> computed) {
			Function<JsonNode, String> function = computed.get(this.name);
			if (function != null) {
				return function.apply(node);
			}
			return this.path.endsWith("~") ? Times.brief(FieldText.at(node, this.path.replace("~", "")))
					: FieldText.at(node, this.path);
		}

		String shown(String cell, Display display) {
			boolean cut = this.cuttable && display.cuts() && length(cell) > WIDEST;
			String shown = cut ? cell.substring(0, cell.offsetByCodePoints(0, WIDEST - 1)) + "…" : cell;
			if (!shown.isEmpty()) {
				this.width = Math.max(this.width, Math.max(length(shown), this.name.length()));
			}
			return shown;
		}

	}

}
