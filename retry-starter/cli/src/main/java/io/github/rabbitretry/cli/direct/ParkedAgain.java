/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.direct;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.github.rabbitretry.classify.Reasons;
import io.github.rabbitretry.cli.service.Request;
import io.github.rabbitretry.cli.service.Service;
import io.github.rabbitretry.explain.Explanation;
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
public final class ParkedAgain {

	private static final String LARGEST_PAGE = "1000";

	private static final List<String> LIMITS = List.of(
			"HTTP statuses, SQLStates and other fields of exceptions are not in the ledger: rules on them, and built-in knowledge that reads them, do not match here.",
			"Classes of the service's own are known by name: rules on their superclasses or interfaces do not match here.",
			"FailureClassifier beans of the service, and what handlers ask for (ParkMessageException, RetryLaterException), are not asked.",
			"What was thrown is decided about as a first failure; budgets end retries as before.");

	private final ConfiguredPolicies changed;

	/**
	 * Creates the decision.
	 * @param changed the other configuration
	 */
	public ParkedAgain(ConfiguredPolicies changed) {
		this.changed = changed;
	}

	/**
	 * Decides.
	 * @param parked who knows what is parked
	 * @param filter which messages
	 * @return groups of parked messages, each with what it was and what it would be
	 */
	public JsonNode decide(Service parked, Map<String, String> filter) {
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
		Explanation best = best(group);
		if (best == null) {
			return row.put("decision", "unknown").put("why", "no exception in the ledger, or no such policy or class");
		}
		String reason = best.classification().reason();
		String failureClass = best.classification().failureClass().label();
		boolean same = reason.equals(group.path("reason").asString())
				&& failureClass.equals(group.path("failureClass").asString());
		// what nobody knows here may have had a status, or a superclass that is known
		boolean known = same || !reason.equals(Reasons.UNKNOWN_FAILURE);
		return row.put("newReason", reason)
			.put("newFailureClass", failureClass)
			.put("decidedBy", answeredBy(best))
			.put("changed", known && !same)
			.put("decision", known ? best.kind() : "unknown")
			.put("why", known ? null : "neither a rule nor built-in knowledge names it");
	}

	/**
	 * Of an exception and its causes: whom the first of the rules names, else the
	 * outermost that anybody knows.
	 */
	private @Nullable Explanation best(JsonNode group) {
		return Arrays.stream(group.path("exception").asString("").split(" <- "))
			.map(String::strip)
			.flatMap((exception) -> this.changed.explain(group.path("messageType").asString(), exception).stream())
			.min(Comparator.comparingInt(ParkedAgain::rank))
			.orElse(null);
	}

	private static int rank(Explanation explanation) {
		String from = answeredBy(explanation);
		if (from.startsWith("rules[")) {
			return Integer.parseInt(from.replaceAll("\\D", ""));
		}
		return from.isEmpty() ? Integer.MAX_VALUE : Integer.MAX_VALUE - 1;
	}

	private static String answeredBy(Explanation explanation) {
		return explanation.answer().map(Explanation.Asked::from).orElse("");
	}

}
