/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.demo;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

import io.github.rabbitretry.sample.outside.Operator;
import io.github.rabbitretry.sample.outside.ParkedOrder;
import io.github.rabbitretry.sample.outside.ProgressPrinter;
import io.github.rabbitretry.sample.outside.Replay;
import io.github.rabbitretry.sample.outside.WorkerProcess;
import org.awaitility.Awaitility;
import tools.jackson.databind.JsonNode;

/**
 * The demo's end, seen by the operator of the parked messages: deploy the fix, look, try,
 * replay, discard, and account for everything again.
 */
final class FixAndReplay {

	/** Arguments of a worker whose code has the fix. */
	static final List<String> NEXT_RELEASE = List.of("--spring.profiles.active=next-release");

	/** What that release heals. */
	static final Set<String> FIXED_REASONS = Set.of("UNSUPPORTED_SCHEMA_VERSION", "RETRY_BUDGET_EXHAUSTED");

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private static final String FIXED = "HANDLER_FIXED";

	private final ProgressPrinter progress;

	private final WorkerProcess worker;

	private final Operator operator;

	private final DemoRun run;

	private final List<ParkedOrder> before;

	private final List<String> problems = new ArrayList<>();

	private long replayed;

	private long parkedAgain;

	private long stillParked;

	FixAndReplay(ProgressPrinter progress, WorkerProcess worker, Operator operator, DemoRun run,
			List<ParkedOrder> before) {
		this.progress = progress;
		this.worker = worker;
		this.operator = operator;
		this.run = run;
		this.before = before;
	}

	/**
	 * Does all of it.
	 * @param keep whether the worker is to run on
	 * @return whether everything is accounted for
	 * @throws IOException if the worker does not answer as it should
	 */
	boolean run(boolean keep) throws IOException {
		this.progress.line("The fix: a release that knows schema 3 and gives the gateway 5 s. Starting it ...");
		this.worker.start(NEXT_RELEASE);
		this.progress.line("");
		showGroups();
		fixed("UNSUPPORTED_SCHEMA_VERSION");
		fixed("RETRY_BUDGET_EXHAUSTED");
		stillBroken("ILLEGAL_BUSINESS_TRANSITION");
		discard("DESERIALIZATION_FAILED");
		showAudit();
		awaitAccount();
		examine();
		List<ParkedOrder> ledger = this.operator.ledger();
		if (!keep) {
			this.worker.stop();
		}
		return account(ledger);
	}

	/**
	 * How many messages the dry run of those counted that are not fixed.
	 * @return the number
	 */
	long stillParked() {
		return this.stillParked;
	}

	/** The demo's user may do anything, which the doctor notes. */
	private void examine() throws IOException {
		this.progress.line("");
		this.progress.line("What the topology doctor finds");
		// the management API knows the consumers some seconds late
		JsonNode report = Awaitility.await()
			.atMost(Duration.ofMinutes(1))
			.pollInterval(Duration.ofSeconds(5))
			.pollDelay(Duration.ZERO)
			.until(this.operator::examine, (seen) -> !seen.toString().contains("queue-unconsumed"));
		for (JsonNode finding : report.path("findings")) {
			String severity = finding.path("severity").asString();
			this.progress.line("    %-7s  %s, %s".formatted(severity, finding.path("code").asString(),
					finding.path("subject").asString()));
			check(severity.equals("INFO"), "the topology doctor finds " + finding);
		}
		this.progress.line("    examined by " + report.path("examinedBy").asString());
		report.path("unexamined").forEach((what) -> this.progress.line("    not examined: " + what.asString()));
	}

	private void showGroups() throws IOException {
		this.progress.line("What is parked, by kind of failure");
		for (JsonNode group : this.operator.groups()) {
			this.progress
				.line("    %5d  %-27s %-24s %s".formatted(group.path("count").asLong(), group.path("reason").asString(),
						group.path("queue").asString(), versions(group.path("handlerVersions"))));
		}
	}

	private void fixed(String reason) throws IOException {
		this.progress.line("");
		this.progress
			.line("%s is fixed. A dry run, then the replay: 5 first, and on if they succeed".formatted(reason));
		Replay.Outcome outcome = replay(reason, 5, dryRun(reason));
		check(outcome.state().equals("FINISHED") && outcome.succeeded() == outcome.selected(),
				"the replay of %s ended as %s".formatted(reason, outcome));
	}

	private void stillBroken(String reason) throws IOException {
		this.progress.line("");
		this.progress
			.line("%s is not fixed. An operator tries all the same, and the canary stops it".formatted(reason));
		this.stillParked = dryRun(reason);
		Replay.Outcome outcome = replay(reason, 1, this.stillParked);
		check(outcome.state().equals("STOPPED") && outcome.parkedAgain() == Math.min(1, outcome.selected()),
				"the replay of %s ended as %s".formatted(reason, outcome));
	}

	private long dryRun(String reason) throws IOException {
		JsonNode dryRun = this.operator.dryRun(Map.of("reason", reason));
		for (JsonNode group : dryRun.path("groups")) {
			this.progress.line("    %d of %s, parked by %s; if they fail the same way: %s%s".formatted(
					group.path("count").asLong(), group.path("queue").asString(),
					versions(group.path("handlerVersions")), group.path("onSameFailure").asString(), findings(group)));
		}
		check(dryRun.path("wouldReplay").asLong() == parkedBefore(reason), "the dry run of %s finds %d of %d"
			.formatted(reason, dryRun.path("wouldReplay").asLong(), parkedBefore(reason)));
		return dryRun.path("preview").path("count").asLong();
	}

	private static String findings(JsonNode group) {
		String findings = group.path("findings")
			.valueStream()
			.map(JsonNode::asString)
			.collect(Collectors.joining(", "));
		return findings.isEmpty() ? "" : "; mind: " + findings;
	}

	private Replay.Outcome replay(String reason, int canary, long expected) throws IOException {
		Map<String, Object> arguments = new LinkedHashMap<>();
		arguments.put("reason", reason);
		arguments.put("expect", expected);
		arguments.put("canary", canary);
		arguments.put("rate", 200);
		arguments.put("ramp", "PT1S");
		Replay.Outcome outcome = new Replay(this.operator, this.progress).run(arguments, FIXED);
		this.replayed += outcome.selected() - outcome.untouched();
		this.parkedAgain += outcome.parkedAgain();
		return outcome;
	}

	private void discard(String reason) throws IOException {
		this.progress.line("");
		this.progress.line("%s can never succeed".formatted(reason));
		long discarded = this.operator.discard(Map.of("reason", reason), "PRODUCER_SENDS_THEM_AGAIN");
		this.progress.line("    %d discarded".formatted(discarded));
		check(discarded == parkedBefore(reason),
				"%d of %d messages of %s were discarded".formatted(discarded, parkedBefore(reason), reason));
	}

	private void showAudit() throws IOException {
		this.progress.line("");
		this.progress.line("Who did what, the last first");
		List<JsonNode> entries = this.operator.audit();
		for (JsonNode entry : entries) {
			this.progress.line("    %2d  %-12s %-14s %5d  %s%s".formatted(entry.path("id").asLong(),
					entry.path("user").asString(), entry.path("what").asString(), entry.path("count").asLong(),
					entry.path("reason").asString(),
					entry.hasNonNull("outcome") ? ": " + entry.path("outcome").asString() : ""));
		}
		List<String> ours = entries.stream()
			.filter((entry) -> entry.path("user").asString().equals(Operator.USER))
			.map((entry) -> entry.path("what").asString())
			.toList();
		// three replays, one time discarded; their dry runs are not audited
		check(ours.size() == 4, "the audit has %s of %s".formatted(ours, Operator.USER));
	}

	/** Events come a moment after outcomes. */
	private void awaitAccount() throws IOException {
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		while (!this.run.account(Kind::inTheEnd).exact() && System.nanoTime() - deadline < 0) {
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
		}
	}

	private boolean account(List<ParkedOrder> ledger) throws IOException {
		Account account = this.run.account(Kind::inTheEnd, ledger);
		this.problems.addAll(account.problems());
		Map<String, Long> states = states(ledger);
		Map<String, Long> expected = states(this.before);
		long discarded = states.getOrDefault("DISCARDED", 0L);
		expected.merge("PARKED", this.parkedAgain - this.replayed - discarded, Long::sum);
		expected.put("REPLAYED", this.replayed);
		expected.put("DISCARDED", discarded);
		check(states.equals(expected), "the ledger has %s instead of %s".formatted(states, expected));
		repeated(ledger).forEach((orderId) -> this.problems
			.add("order %s was replayed and handled %d times".formatted(orderId, this.run.events(orderId).size())));
		this.progress.line("");
		this.progress.line("What became of what was parked");
		DemoReport.inTheEnd(account).forEach(this.progress::line);
		this.progress.line("");
		Account.Row total = account.total();
		this.progress.line("Loss accounting: sent %d = handled %d + parked %d + discarded %d%s".formatted(total.sent(),
				total.handled(), total.parked(), total.discarded(),
				this.problems.isEmpty() ? ", each replayed message handled once" : " DOES NOT ADD UP"));
		this.progress.line("  The ledger has %d rows: %d were parked, %d of %d replayed messages were parked again. %s."
			.formatted(ledger.size(), this.before.size(), this.parkedAgain, this.replayed, inWords(states)));
		DemoReport.problems(this.problems).forEach(this.progress::line);
		return this.problems.isEmpty();
	}

	/** A row is a message, and each message that was replayed is handled once. */
	private List<String> repeated(List<ParkedOrder> ledger) {
		Map<String, Long> replays = new HashMap<>();
		ledger.stream()
			.filter((order) -> this.run.sent(order.orderId()))
			.forEach((order) -> replays.merge(order.orderId(), order.state().equals("REPLAYED") ? 1L : 0L, Long::sum));
		return replays.entrySet()
			.stream()
			.filter((order) -> this.run.events(order.getKey()).size() > order.getValue())
			.map(Map.Entry::getKey)
			.toList();
	}

	private long parkedBefore(String reason) {
		return this.before.stream().filter((order) -> order.reason().equals(reason)).count();
	}

	private static Map<String, Long> states(List<ParkedOrder> ledger) {
		return ledger.stream().collect(Collectors.groupingBy(ParkedOrder::state, HashMap::new, Collectors.counting()));
	}

	private static String inWords(Map<String, Long> states) {
		return "%d are parked, %d replayed, %d discarded".formatted(states.getOrDefault("PARKED", 0L),
				states.getOrDefault("REPLAYED", 0L), states.getOrDefault("DISCARDED", 0L));
	}

	private static String versions(JsonNode versions) {
		return versions.valueStream().map(JsonNode::asString).collect(Collectors.joining(", "));
	}

	private void check(boolean holds, String problem) {
		if (!holds) {
			this.problems.add(problem);
		}
	}

}
