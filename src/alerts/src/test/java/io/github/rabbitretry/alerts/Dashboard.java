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
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The dashboard as it is delivered.
 */
final class Dashboard {

	static final Path PATH = Path.of("../dashboards/rabbit-retry.json");

	/** Of rates, short enough for a run of a minute or two. */
	private static final String INTERVAL = "20s";

	private Dashboard() {
	}

	static String text() {
		try {
			return Files.readString(PATH);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** A panel as it looks for all message types. */
	static Chart chart(String title, Function<String, JsonNode> queried) {
		Chart chart = new Chart(title);
		for (JsonNode panel : panels()) {
			if (panel.path("title").asString().equals(title)) {
				for (JsonNode target : panel.path("targets")) {
					chart.add(queried.apply(expression(target)), target.path("legendFormat").asString());
				}
			}
		}
		return chart;
	}

	private static JsonNode panels() {
		return JsonMapper.shared().readTree(text()).path("panels");
	}

	private static String expression(JsonNode target) {
		return target.path("expr").asString().replace("$message_type", ".*").replace("$__rate_interval", INTERVAL);
	}

	/** Its queries for all message types, by panel and number. */
	static Map<String, String> queries() {
		Map<String, String> queries = new LinkedHashMap<>();
		for (JsonNode panel : panels()) {
			for (JsonNode target : panel.path("targets")) {
				queries.put(panel.path("title").asString() + " " + target.path("refId").asString(), expression(target));
			}
		}
		return queries;
	}

}
