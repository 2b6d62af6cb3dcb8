/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import java.util.Arrays;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Options that are arguments of the endpoints, which check their values: the one place
 * that knows both names.
 */
enum Argument {

	QUEUE(Kind.FILTER, "--queue", "queue", "NAME", "work queue"),

	TYPE(Kind.FILTER, "--type", "messageType", "TYPE", "message type"),

	REASON(Kind.FILTER, "--reason", "reason", "REASON", "why it was parked, or failed last"),

	FAILURE_CLASS(Kind.FILTER, "--failure-class", "failureClass", "CLASS", "failure class, such as permanent-business"),

	FINGERPRINT(Kind.FILTER, "--fingerprint", "fingerprint", "ID", "fingerprint, equal for similar failures"),

	CAUSE(Kind.FILTER, "--cause", "cause", "ID[,ID]",
			"cause of the last failure, as shown by 'parked groups', or several"),

	TEXT(Kind.FILTER, "--text", "text", "PART",
			"part of the queue, type, reason, exceptions or the cause's text, in any case; to list, also as in a log"),

	OWNER(Kind.FILTER, "--owner", "owner", "TEAM", "owner of the message type"),

	VERSION(Kind.FILTER, "--handler-version", "handlerVersion", "VERSION", "handler version in which it failed"),

	SCHEMA_VERSION(Kind.FILTER, "--schema-version", "schemaVersion", "VERSION", "version of the payload's schema"),

	CORRELATION_ID(Kind.FILTER, "--correlation-id", "correlationId", "ID", "correlation id"),

	AGGREGATE_ID(Kind.FILTER, "--aggregate-id", "aggregateId", "ID", "id of the affected business entity"),

	MESSAGE_ID(Kind.FILTER, "--message-id", "messageId", "ID", "message id"),

	ANY_ID(Kind.FILTER, "--any-id", "anyId", "ID",
			"message, correlation, aggregate, replay or ledger id; in lists, the beginning of the first three will do"),

	REPLAY_ID(Kind.FILTER, "--replay-id", "replayId", "ID", "replay that it came back from"),

	AUDIT_ENTRY(Kind.FILTER, "--audit", "auditId", "ENTRY", "audit entry that discarded or restored it last"),

	FROM(Kind.FILTER, "--from", "parkedFrom", "TIME", "parked at or after, such as 2h (ago) or 2026-07-01T12:00:00Z"),

	BEFORE(Kind.FILTER, "--before", "parkedBefore", "TIME", "parked before"),

	PAYLOAD(Kind.FILTER, "--payload-state", "payloadState", "STATE", "WHOLE, MASKED or OMITTED"),

	STATE(Kind.SEARCH, "--state", "state", "STATE", "PARKED (default), REPLAYED, DISCARDED or ANY"),

	SIZE(Kind.PAGE, "--size", "size", "N", "rows per page, at most 1000"),

	AFTER(Kind.PAGE, "--after", "after", "KEY", "where the previous page ended"),

	UNCERTAIN_OF(Kind.UNCERTAIN, "--uncertain-of", "uncertainOf", "REPLAY",
			"messages that this replay, which has ended, may have published; ids and filter narrow them"),

	REST_OF(Kind.UNCERTAIN, "--rest-of", "restOf", "REPLAY",
			"messages that this replay, which has ended, did not publish; ids and filter narrow them"),

	BECAUSE(Kind.ACT, "--because", "because", "WHY", "reason, recorded in the audit"),

	USER(Kind.ACT, "--user", "user", "NAME", "user; default: RABBIT_RETRY_USER; not needed with a login"),

	EXPECT(Kind.MAXIMUM, "--expect", "expect", "N",
			"number of matches, or the token of a dry run; refused if there are more; required without ids"),

	MAX(Kind.MAXIMUM, "--max", "maximum", "N",
			"maximum number of messages, oldest first; default: all that --expect allows"),

	RATE(Kind.REPLAY, "--rate", "rate", "N", "messages per second, or 'unlimited'; default: 50"),

	RAMP(Kind.REPLAY, "--ramp", "ramp", "TIME", "time in which to reach that rate, such as 30s"),

	CANARY(Kind.REPLAY, "--canary", "canary", "N", "messages to replay first, all of which must succeed; default: 10"),

	CANARY_TIMEOUT(Kind.REPLAY, "--canary-timeout", "canaryTimeout", "TIME", "how long to wait for them, such as 5m"),

	ABORT_PERCENT(Kind.REPLAY, "--abort-percent", "abortPercent", "N",
			"stop when more than this share is parked again"),

	ABORT_MINIMUM(Kind.REPLAY, "--abort-minimum", "abortMinimum", "N",
			"number of outcomes before that share is evaluated"),

	TARGET(Kind.REPLAY, "--target", "target", "QUEUE",
			"publish copies to this queue for inspection instead; with --move, the messages"),

	OUTAGE(Kind.SIMULATION, "--outage", "outage", "TIME", "how long the called service is down, such as 10m"),

	OUTAGE_AT(Kind.SIMULATION, "--outage-at", "outageAt", "TIME",
			"how long after the first message it goes down; default: 0"),

	FAILING(Kind.SIMULATION, "--failing", "failing", "PERCENT", "calls that fail meanwhile; default: 100%%"),

	HANDLER_TIME(Kind.SIMULATION, "--handler-time", "handlerTime", "TIME",
			"how long a call takes, such as 40ms; default: 0"),

	FAILING_TIME(Kind.SIMULATION, "--failing-time", "failingTime", "TIME",
			"how long a failing call takes, such as a timeout of 5s; default: --handler-time"),

	CONCURRENCY(Kind.SIMULATION, "--concurrency", "concurrency", "N", "consumers of all instances; default: 1"),

	DURATION(Kind.SIMULATION, "--duration", "duration", "TIME",
			"how long messages arrive; default: until all failed ones are settled"),

	START(Kind.SIMULATION, "--start", "start", "TIME",
			"when the first message arrives, for business hours; default: now"),

	SEED(Kind.SIMULATION, "--seed", "seed", "N", "random seed; default: 1"),

	ARRIVALS(Kind.SIMULATION, "--rate", "rate", "RATE", "messages that arrive, such as 50/s, 300/min or 20/h"),

	FAILURE(Kind.SIMULATION, "--reason", "reason", "REASON", "reason of the failures; default: DOWNSTREAM_UNAVAILABLE"),

	CLASS_OF_FAILURE(Kind.SIMULATION, "--failure-class", "failureClass", "CLASS",
			"class of the failures, such as permanent-business; known for built-in reasons"),

	AUDITED(Kind.AUDIT, "--replay-id", "replayId", "ID", "only entries of this replay"),

	PERSON(Kind.AUDIT, "--user", "user", "NAME", "only what this user did"),

	ACTION(Kind.AUDIT, "--act", "act", "ACT", "only this action, such as DISCARD, RESTORE, REPLAY or READ_BODY"),

	DONE_FROM(Kind.AUDIT, "--from", "from", "TIME", "at or after, such as 1d (ago) or 2026-07-01T12:00:00Z"),

	DONE_TO(Kind.AUDIT, "--to", "to", "TIME", "before this time"),

	ENTRY(Kind.AUDIT, "--before", "before", "ENTRY", "entries before this one"),

	ENTRIES(Kind.AUDIT, "--size", "size", "N", "entries per page, at most 1000"),

	GROUPS(Kind.GROUPS, "--size", "size", "N", "number of groups, at most 1000"),

	BY(Kind.GROUPS, "--by", "by", "ATTRIBUTE",
			"messageType, owner, handlerVersion, schemaVersion or queue; default: the cause"),

	NEW_SINCE(Kind.GROUPS, "--new-since", "newSince", "VERSION",
			"only failures that did not occur before this handler version"),

	JOB_STATE(Kind.JOBS, "--state", "state", "STATE",
			"CANARY, RUNNING, PAUSED, STOPPED, ABORTED, FINISHED or INCOMPLETE"),

	JOBS(Kind.JOBS, "--size", "size", "N", "number of replays, at most 1000"),

	ITEM_STATE(Kind.ITEMS, "--state", "state", "STATE",
			"SELECTED, CLAIMED, PUBLISHED, SUCCEEDED, PARKED_AGAIN, DISCARDED, SKIPPED, FAILED, UNCERTAIN or RESTORED"),

	AFTER_ITEM(Kind.ITEMS, "--after", "after", "PLACE", "messages after this position"),

	ITEMS(Kind.ITEMS, "--size", "size", "N", "messages per page, at most 1000"),

	TYPES(Kind.EXPORT, "--types", "types", "TYPES", "only these message types; default: all"),

	ROLES(Kind.PERMISSIONS, "--roles", "roles", "ROLES", "some of topology, worker, operator, monitor; default: all"),

	WRITES(Kind.PERMISSIONS, "--writes", "writes", "EXCHANGES",
			"exchanges that the application's own code publishes to"),

	READS(Kind.PERMISSIONS, "--reads", "reads", "QUEUES",
			"queues that its own code consumes, other than those of message policies");

	private static final Pattern QUOTED = Pattern.compile("'([A-Za-z]+)'");

	final Kind kind;

	final String option;

	final String argument;

	final String label;

	final String description;

	Argument(Kind kind, String option, String argument, String label, String description) {
		this.kind = kind;
		this.option = option;
		this.argument = argument;
		this.label = label;
		this.description = description;
	}

	boolean time() {
		return this == FROM || this == BEFORE || this == START || this == DONE_FROM || this == DONE_TO;
	}

	/**
	 * A refusal in the words of the command line.
	 * @param error what an endpoint said
	 * @return the same, with options in place of arguments
	 */
	static String translated(String error) {
		Map<String, String> options = Arrays.stream(values())
			.collect(Collectors.toMap((each) -> each.argument, (each) -> each.option, (one, same) -> one));
		return QUOTED
			.matcher(error.replace("all=true", "--all")
				.replace("takeReserved=true", "--take-reserved")
				.replace("move=true", "--move"))
			.replaceAll((found) -> Matcher.quoteReplacement(options.getOrDefault(found.group(1), found.group())));
	}

	/**
	 * Arguments that go together.
	 */
	enum Kind {

		FILTER("Which messages (all but --text and --any-id match as a whole):"), SEARCH("In which state:"),
		PAGE("How much:"), UNCERTAIN("Instead of parked messages:"), ACT("Who and why:"), MAXIMUM("How many:"),
		REPLAY("How carefully:"), SIMULATION("Load and failures:"), AUDIT("Which entries:"), GROUPS("Which groups:"),
		JOBS("Which replays:"), ITEMS("Which messages:"), EXPORT("What for:"), PERMISSIONS("Whose:");

		final String heading;

		Kind(String heading) {
			this.heading = heading;
		}

	}

}
