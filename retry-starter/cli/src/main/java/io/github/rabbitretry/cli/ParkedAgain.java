/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.github.rabbitretry.cli.service.ExitCode;
import io.github.rabbitretry.cli.service.Request;
import io.github.rabbitretry.cli.service.Service;
import io.github.rabbitretry.cli.service.ServiceException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Decides about causes of parked messages by another configuration, as if each message
 * failed for the first time. The ledger knows the classes of an exception and its causes,
 * not the exception itself.
 */
final class ParkedAgain {

	private static final String LARGEST_PAGE = "1000";

	private static final String UNKNOWN = "UNKNOWN_FAILURE";

	private static final List<String> LIMITS = List.of(
			"HTTP statuses, SQLStates and other fields of exceptions are not in the ledger: rules on them, and built-in knowledge that reads them, do not match here.",
			"Classes of the service's own are known by name: rules on their superclasses or interfaces do not match here.",
			"FailureClassifier beans of the service, and what handlers ask for (ParkMessage, RetryLater), are not asked.",
			"What was thrown is decided about as a first failure; budgets end retries as before.");

	private final Service changed;

	ParkedAgain(Service changed) {
		this.changed = changed;
	}

	/**
	 * Decides.
	 * @param parked who knows what is parked
	 * @param filter which messages
	 * @return groups of parked messages, each with what it was and what it would be
	 */
	JsonNode decide(Service parked, Map<String, String> filter) {
		Map<String, String> arguments = new TreeMap<>(filter);
		arguments.put("size", LARGEST_PAGE);
		JsonNode groups = parked.ask(Request.read(arguments, "parkinglot", "groups"));
		ObjectNode answer = JsonNodeFactory.instance.objectNode();
		ArrayNode decided = answer.putArray("groups");
		Map<String, Long> totals = new TreeMap<>();
		for (JsonNode group : groups.path("groups")) {
			ObjectNode row = decide(group);
			decided.add(row);
			totals.merge(row.path("decision").asString(), group.path("count").asLong(), Long::sum);
		}
		ObjectNode counts = answer.putObject("messages");
		totals.forEach(counts::put);
		ArrayNode limits = answer.putArray("notKnown");
		LIMITS.forEach(limits::add);
		if (groups.hasNonNull("note")) {
			answer.put("note", groups.path("note").asString());
		}
		return answer;
	}

	private ObjectNode decide(JsonNode group) {
		ObjectNode row = JsonNodeFactory.instance.objectNode();
		for (String field : List.of("count", "budgetExhausted", "messageType", "exception", "reason", "failureClass")) {
			row.set(field, group.path(field).isMissingNode() ? JsonNodeFactory.instance.nullNode() : group.path(field));
		}
		JsonNode best = best(group);
		if (best == null) {
			return row.put("decision", "unknown").put("why", "no exception in the ledger, or no such policy or class");
		}
		JsonNode now = best.path("classification");
		String kind = best.path("decision").path("kind").asString();
		boolean same = now.path("reason").asString().equals(group.path("reason").asString())
				&& now.path("failureClass").asString().equals(group.path("failureClass").asString());
		// what nobody knows here may have had a status, or a superclass that is known
		boolean known = same || !now.path("reason").asString().equals(UNKNOWN);
		return row.put("newReason", now.path("reason").asString())
			.put("newFailureClass", now.path("failureClass").asString())
			.put("decidedBy", answeredBy(best))
			.put("changed", known && !same)
			.put("decision", known ? kind : "unknown")
			.put("why", known ? null : "neither a rule nor built-in knowledge names it");
	}

	/**
	 * Of an exception and its causes: whom the first of the rules names, else the
	 * outermost that anybody knows.
	 */
	private @Nullable JsonNode best(JsonNode group) {
		JsonNode best = null;
		int bestRank = Integer.MAX_VALUE;
		for (String exception : Arrays.asList(group.path("exception").asString("").split(" <- "))) {
			JsonNode explanation = exception.isBlank() ? null
					: explain(group.path("messageType").asString(), exception);
			if (explanation != null && rank(explanation) < bestRank) {
				best = explanation;
				bestRank = rank(explanation);
			}
		}
		return best;
	}

	private @Nullable JsonNode explain(String type, String exception) {
		try {
			return this.changed.ask(Request.read(Map.of("exception", exception.strip()), "retryexplain", type));
		}
		catch (ServiceException ex) {
			if (ex.exitCode() == ExitCode.NOT_FOUND || ex.exitCode() == ExitCode.REFUSED) {
				return null;
			}
			throw ex;
		}
	}

	private static int rank(JsonNode explanation) {
		String from = answeredBy(explanation);
		if (from.startsWith("rules[")) {
			return Integer.parseInt(from.replaceAll("\\D", ""));
		}
		return from.isEmpty() ? Integer.MAX_VALUE - 1 : Integer.MAX_VALUE - 2;
	}

	private static String answeredBy(JsonNode explanation) {
		return explanation.path("asked")
			.valueStream()
			.filter((asked) -> asked.path("outcome").asString().equals("answered"))
			.map((asked) -> asked.path("from").asString())
			.findFirst()
			.orElse("");
	}

}
