/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.broker;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One thing on the broker that is not as it must be.
 *
 * @param what the queue, exchange or binding
 * @param problem what is wrong, argument and both values where there are any
 * @param remedy what to do
 * @param differs whether something else has the same name
 */
public record TopologyProblem(String what, String problem, String remedy, boolean differs) {

	private static final Pattern INEQUIVALENT = Pattern
		.compile("inequivalent arg '([^']+)' for .*?: received (.+?) but current is (.+?)(?:, class-id=.*)?$");

	private static final String EXCHANGE_REMEDY = "If producers publish to it, remove exchange and routing-keys from the message policy and leave the bindings to the application. Otherwise give it another name with a key of names.";

	/**
	 * Something that is missing, or that the broker refuses.
	 * @param what the queue, exchange or binding
	 * @param problem what is wrong
	 * @param remedy what to do
	 */
	public TopologyProblem(String what, String problem, String remedy) {
		this(what, problem, remedy, false);
	}

	public static TopologyProblem missing(String what) {
		return new TopologyProblem(what, "it does not exist",
				"Declare it, or set rabbit-retry.topology.mode to declare.");
	}

	/** In the words of RabbitMQ 4.0 to 4.3: it answers as if there was no such queue. */
	public static boolean isUnavailable(String text) {
		return text.contains("is down or inaccessible");
	}

	public static TopologyProblem unavailable(String what, String text) {
		return new TopologyProblem(what, "it is not available (%s)".formatted(text), "Start the node that it is on.");
	}

	public static TopologyProblem missingExisting(String what) {
		return new TopologyProblem(what, "it does not exist, but its message policy says work-queue: existing",
				"Declare it before this application starts or as a bean of it, or set work-queue to declare.");
	}

	public static TopologyProblem stream(String what) {
		return new TopologyProblem(what,
				"it is a stream, which keeps what was read, knows no rejected messages, and appends what is published to it: a message that comes back for a retry would be there twice, for all its readers",
				"Remove its message policy, and read the stream without retries; or have the messages published to a queue too, and give the policy that one.");
	}

	public static TopologyProblem refused(String what, int code, String text) {
		if (isUnavailable(text)) {
			return unavailable(what, text);
		}
		if (code == 404) {
			return missing(what);
		}
		if (code == 403) {
			return new TopologyProblem(what, "this user may not declare it (" + text + ")",
					"Grant configure, write and read on it, or let an operator declare it and set rabbit-retry.topology.mode to verify.");
		}
		if (text.contains("queue limit")) {
			return new TopologyProblem(what, "the broker refused it (%s %s)".formatted(code, text),
					"Raise max-queues of the virtual host (rabbitmqctl set_vhost_limits), or give message policies fewer delays: each is a queue. Only many policies need fewer queues with ring set to shared.");
		}
		Matcher matcher = INEQUIVALENT.matcher(text);
		if (code == 406 && matcher.find()) {
			return new TopologyProblem(what,
					"argument '%s' is %s on the broker, but the message policy asks for %s".formatted(matcher.group(1),
							matcher.group(3), matcher.group(2)),
					what.startsWith("exchange ") ? EXCHANGE_REMEDY : remedyFor(matcher.group(1), matcher.group(2)),
					true);
		}
		return new TopologyProblem(what, "the broker refused it (%s %s)".formatted(code, text),
				"See the broker's log.");
	}

	private static String remedyFor(String argument, String wanted) {
		if (argument.equals("x-single-active-consumer") && wanted.contains("true")) {
			return "Give the policy a queue of another name and this one in former-queues, or set its ordering to none.";
		}
		return "If it is the work queue, it can stay as it is: set work-queue of its message policy to existing. If it is another's, give the policy another name for it; rabbit-retry.ledger.adopt takes in what is in an old dead-letter queue. If it is this service's, change the policy back, or delete it once it is empty, so that it is declared again.";
	}

}
