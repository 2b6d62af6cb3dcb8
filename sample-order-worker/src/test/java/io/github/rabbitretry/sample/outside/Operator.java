/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.outside;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The operator of parked messages: sends requests to the worker over HTTP, and says how
 * the same is done with {@code curl}.
 */
public final class Operator {

	/** Who that is. */
	public static final String USER = "ops-1";

	private static final int PAGE = 1000;

	private final HttpClient http = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();

	private final JsonMapper json = new JsonMapper();

	private final URI worker;

	private final Consumer<String> said;

	/**
	 * Creates an operator.
	 * @param worker where the worker is
	 * @param said takes the command line of each act
	 */
	public Operator(URI worker, Consumer<String> said) {
		this.worker = worker;
		this.said = said;
	}

	/**
	 * Groups what is parked by fingerprint, the largest group first.
	 * @return the groups
	 * @throws IOException if the worker does not answer as it should
	 */
	public List<JsonNode> groups() throws IOException {
		return act("/actuator/parkinglot/groups", Map.of()).path("groups").valueStream().toList();
	}

	/**
	 * Tries a replay.
	 * @param filter which messages
	 * @return what it would do
	 * @throws IOException if the worker does not answer as it should
	 */
	public JsonNode dryRun(Map<String, Object> filter) throws IOException {
		return act("/actuator/replays/dry-run", filter).path("dryRun");
	}

	/**
	 * Begins a replay.
	 * @param arguments which messages, and how
	 * @param because why
	 * @return its id
	 * @throws IOException if the worker does not answer as it should
	 */
	public String replay(Map<String, Object> arguments, String because) throws IOException {
		return change("/actuator/replays", signed(arguments, because)).path("replay").path("id").asString();
	}

	/**
	 * Looks at a replay.
	 * @param id its id
	 * @return how it is doing
	 * @throws IOException if the worker does not answer as it should
	 */
	public JsonNode replay(String id) throws IOException {
		return get("/actuator/replays/" + id, Map.of());
	}

	/**
	 * Discards as many as a dry run counted.
	 * @param filter which messages
	 * @param because why
	 * @return how many
	 * @throws IOException if the worker does not answer as it should
	 */
	public long discard(Map<String, Object> filter, String because) throws IOException {
		Map<String, Object> arguments = new LinkedHashMap<>(filter);
		arguments.put("dryRun", true);
		long counted = discard(arguments).path("preview").path("count").asLong();
		arguments.remove("dryRun");
		arguments.put("expect", counted);
		return discard(signed(arguments, because)).path("discarded").asLong();
	}

	private JsonNode discard(Map<String, Object> arguments) throws IOException {
		return change("/actuator/parkinglot/discard", arguments);
	}

	/**
	 * Has the worker compare its topology with the broker's.
	 * @return what it finds, and what it could not examine
	 * @throws IOException if the worker does not answer as it should
	 */
	public JsonNode examine() throws IOException {
		return act("/actuator/retrytopology", Map.of());
	}

	/**
	 * Reads the audit.
	 * @return its last entries, the last one first
	 * @throws IOException if the worker does not answer as it should
	 */
	public List<JsonNode> audit() throws IOException {
		return act("/actuator/replays/audit", Map.of()).path("entries").valueStream().toList();
	}

	/**
	 * Counts what is parked now.
	 * @return the number
	 * @throws IOException if the worker does not answer as it should
	 */
	public long parkedNow() throws IOException {
		return get("/actuator/parkinglot", Map.of("size", 1, "count", true)).path("total").asLong();
	}

	/**
	 * Reads the whole ledger, what was replayed or discarded included.
	 * @return its orders
	 * @throws IOException if the worker does not answer as it should
	 */
	public List<ParkedOrder> ledger() throws IOException {
		List<ParkedOrder> orders = new ArrayList<>();
		Map<String, Object> arguments = new LinkedHashMap<>(Map.of("state", "ANY", "size", PAGE));
		JsonNode page;
		do {
			page = get("/actuator/parkinglot", arguments);
			page.path("messages")
				.valueStream()
				.map((message) -> new ParkedOrder(message.path("messageId").asString(""),
						message.path("reason").asString(""), message.path("attempts").asInt(0),
						message.path("state").asString("")))
				.forEach(orders::add);
			arguments.put("after", page.path("next").asString(""));
		}
		while (page.hasNonNull("next"));
		return orders;
	}

	/**
	 * Reads a counter.
	 * @param name its name, as Prometheus shows it
	 * @param label what has to be among its labels
	 * @return the sum of all that match, 0 if none does
	 * @throws IOException if the worker does not answer as it should
	 */
	public double metric(String name, String label) throws IOException {
		return metricLines(name).stream()
			.filter((line) -> line.contains(label))
			.mapToDouble((line) -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
			.sum();
	}

	/**
	 * Reads counters that have counted something.
	 * @param name their name, as Prometheus shows it
	 * @return the lines
	 * @throws IOException if the worker does not answer as it should
	 */
	public List<String> metricLines(String name) throws IOException {
		return send(HttpRequest.newBuilder(this.worker.resolve("/actuator/prometheus"))).lines()
			.filter((line) -> line.startsWith(name + "{") || line.startsWith(name + " "))
			.filter((line) -> !line.endsWith(" 0.0"))
			.toList();
	}

	private static Map<String, Object> signed(Map<String, Object> arguments, String because) {
		Map<String, Object> signed = new LinkedHashMap<>(arguments);
		signed.put("user", USER);
		signed.put("because", because);
		return signed;
	}

	private JsonNode act(String path, Map<String, Object> arguments) throws IOException {
		this.said.accept("$ curl '%s'".formatted(uri(path, arguments)));
		return get(path, arguments);
	}

	private JsonNode get(String path, Map<String, Object> arguments) throws IOException {
		return this.json.readTree(send(HttpRequest.newBuilder(uri(path, arguments))));
	}

	private JsonNode change(String path, Map<String, Object> arguments) throws IOException {
		String body = this.json.writeValueAsString(arguments);
		URI uri = uri(path, Map.of());
		this.said.accept("$ curl '%s' -H 'Content-Type: application/json' \\".formatted(uri));
		this.said.accept("    -d '%s'".formatted(body));
		return this.json.readTree(send(HttpRequest.newBuilder(uri)
			.header("Content-Type", "application/json")
			.POST(BodyPublishers.ofString(body))));
	}

	private URI uri(String path, Map<String, Object> arguments) {
		String query = arguments.entrySet()
			.stream()
			.map((argument) -> argument.getKey() + "="
					+ URLEncoder.encode(String.valueOf(argument.getValue()), StandardCharsets.UTF_8))
			.collect(Collectors.joining("&"));
		return this.worker.resolve(query.isEmpty() ? path : path + "?" + query);
	}

	private String send(HttpRequest.Builder request) throws IOException {
		try {
			HttpResponse<String> answer = this.http.send(request.timeout(Duration.ofSeconds(30)).build(),
					BodyHandlers.ofString());
			if (answer.statusCode() != 200) {
				throw new IOException(
						"%s answered %d: %s".formatted(answer.uri().getPath(), answer.statusCode(), answer.body()));
			}
			return answer.body();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IOException("interrupted", ex);
		}
	}

}
