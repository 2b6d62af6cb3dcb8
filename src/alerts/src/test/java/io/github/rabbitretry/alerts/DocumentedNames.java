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
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The metrics, alerts and queries that the documentation, the alerts and the dashboard
 * name.
 */
final class DocumentedNames {

	static final Path ROOT = Path.of("../..");

	private static final Pattern ALERT = Pattern.compile("\\bRabbitRetry[A-Z]\\w+");

	/** All that begins as ours and RabbitMQ's do, and all that ends as a metric does. */
	private static final Pattern METRIC = Pattern
		.compile("\\b(?:(?:rabbit_retry|rabbitmq|retry_attempts|retry_age|parking_lot|messages_dead_lettered)_\\w+"
				+ "|[a-z]+(?:_[a-z]+)*_(?:total|seconds(?:_count|_sum|_max)?)|replay_total)\\b");

	private static final Pattern QUERY = Pattern.compile("(?s)```promql\\n(.*?)```");

	private static final Pattern TABLE = Pattern
		.compile("(?i)(?:table|index)\\s+(?:if not exists\\s+)?(rabbit_retry_\\w+)");

	/**
	 * Plugins, a label, a counter of the sample's, and what is there with observations
	 * only.
	 */
	private static final Set<String> OTHERS = Set.of("rabbitmq_prometheus", "rabbitmq_management", "rabbitmq_shovel",
			"rabbitmq_cluster", "orders_repeated_total", "spring_rabbit_listener_seconds",
			"spring_rabbit_listener_rabbit_retry_local_total");

	private DocumentedNames() {
	}

	/**
	 * The names in a text that are none.
	 * @param text the text
	 * @param scraped the names of all metrics that were scraped
	 * @param alerts the names of all alerts
	 * @return the names
	 */
	static List<String> wrong(String text, Set<String> scraped, Collection<String> alerts) {
		Set<String> others = new TreeSet<>(OTHERS);
		others.addAll(tables());
		Stream<String> metrics = METRIC.matcher(text)
			.results()
			.map((name) -> name.group())
			.filter((name) -> !others.contains(name) && !scraped.contains(name) && !scraped.contains(name + "_count"));
		Stream<String> names = ALERT.matcher(text)
			.results()
			.map((name) -> name.group())
			.filter((name) -> !alerts.contains(name));
		return Stream.concat(metrics, names).distinct().toList();
	}

	static List<String> queries(String text) {
		return QUERY.matcher(text).results().map((query) -> query.group(1)).toList();
	}

	/** Pages by their path. */
	static Map<String, String> pages() throws IOException {
		List<Path> pages = new ArrayList<>(
				List.of(ROOT.resolve("README.md"), ROOT.resolve("sample-order-worker/README.md")));
		try (Stream<Path> files = Files.list(ROOT.resolve("src/docs"))) {
			files.filter((file) -> file.toString().endsWith(".md")).forEach(pages::add);
		}
		Map<String, String> texts = new TreeMap<>();
		for (Path page : pages) {
			texts.put(page.toString(), Files.readString(page));
		}
		return texts;
	}

	/** The ledger's and its scripts, whose names look like metrics. */
	private static Set<String> tables() {
		try (Stream<Path> files = Files.walk(ROOT.resolve("retry-starter/parking/src/main/resources"))) {
			Set<String> tables = new TreeSet<>();
			for (Path script : files.filter((file) -> file.toString().endsWith(".sql")).toList()) {
				tables.add(script.getFileName().toString().replaceFirst("^.*__", "").replace(".sql", ""));
				TABLE.matcher(Files.readString(script)).results().forEach((table) -> tables.add(table.group(1)));
			}
			return tables;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
