/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.output;

import tools.jackson.databind.JsonNode;

/**
 * Plans of migrations, as tables.
 */
public final class MigrationTables {

	private MigrationTables() {
	}

	/**
	 * The steps, and what is left alone.
	 * @param answer a plan
	 * @param display how it is shown
	 * @return tables of those that are not empty
	 */
	public static String plan(JsonNode answer, Display display) {
		Table steps = new Table(display, "STEP:", "PAUSE", "ACTION!", "WHAT", "DETAIL");
		for (JsonNode step : answer.path("steps")) {
			steps.row(FieldText.text(step, "number"), step.path("paused").asBoolean(false) ? "yes" : "",
					FieldText.text(step, "action"), FieldText.text(step, "subject"), FieldText.text(step, "detail"));
		}
		Table leftAlone = new Table(display, "LEFT ALONE!", "WHY!");
		for (JsonNode one : answer.path("leftAlone")) {
			leftAlone.row(FieldText.text(one, "what"), FieldText.text(one, "why"));
		}
		String first = steps.text();
		String second = leftAlone.text();
		return first + ((first.isEmpty() || second.isEmpty()) ? "" : "\n") + second;
	}

}
