/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.demo;

import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The account in words.
 */
final class DemoReport {

	private static final int MOST_PROBLEMS = 20;

	private static final String ROW = "  %-32s %7s %8s %7s %8s  %-34s %s";

	private static final String ROW_IN_THE_END = "  %-32s %7s %8s %7s %10s  %-34s %s";

	private DemoReport() {
	}

	static List<String> mix(Mix mix, int orders) {
		List<String> lines = new ArrayList<>();
		lines.add("%d orders, of which".formatted(orders));
		mix.counts()
			.forEach((kind, count) -> lines
				.add("  %7d  %-32s %-25s -> %s".formatted(count, kind.label(), kind.command().type(), kind.fate())));
		return lines;
	}

	static List<String> account(Account account) {
		List<String> lines = new ArrayList<>();
		lines.add(ROW.formatted("kind", "sent", "handled", "parked", "retries", "expected", "ok"));
		account.rows().forEach((row) -> lines.add(line(row)));
		lines.add(line(account.total()));
		return lines;
	}

	/** What became of what was parked, and of all. */
	static List<String> inTheEnd(Account account) {
		List<String> lines = new ArrayList<>();
		lines.add(ROW_IN_THE_END.formatted("kind", "sent", "handled", "parked", "discarded", "expected", "ok"));
		List<String> parked = Arrays.stream(Kind.values())
			.filter((kind) -> kind.fate() instanceof Fate.Parked)
			.map(Kind::label)
			.toList();
		account.rows()
			.stream()
			.filter((row) -> parked.contains(row.label()) || row.wrong() > 0)
			.forEach((row) -> lines.add(lineInTheEnd(row)));
		lines.add(lineInTheEnd(account.total()));
		return lines;
	}

	private static String lineInTheEnd(Account.Row row) {
		return ROW_IN_THE_END.formatted(row.label(), row.sent(), row.handled(), row.parked(), row.discarded(),
				row.expected(), ok(row));
	}

	private static String line(Account.Row row) {
		return ROW.formatted(row.label(), row.sent(), row.handled(), row.parked(), row.retries(), row.expected(),
				ok(row));
	}

	private static String ok(Account.Row row) {
		return (row.wrong() == 0) ? "yes" : "NO: %d".formatted(row.wrong());
	}

	static List<String> losses(Account account, int crashes) {
		Account.Row total = account.total();
		List<String> lines = new ArrayList<>();
		lines.add("Loss accounting: sent %d = handled %d + parked %d%s".formatted(total.sent(), total.handled(),
				total.parked(), account.exact() ? ", nothing lost, nothing left in any queue" : " DOES NOT ADD UP"));
		lines.add("  %d events and %d parked messages came more than once: a worker that dies after a step and before"
			.formatted(account.repeatedEvents(), account.repeatedParkings()));
		lines.add(
				"  its acknowledgement has the step taken again. That is at-least-once delivery; the order store knows it.");
		lines.add(
				"  One order killed the worker %d times, at last alone in quarantine, where it is to blame. A crash counts"
					.formatted(crashes));
		lines.add(
				"  once for each consumer that the broker tries while it takes the dead connection down, and against all");
		lines.add("  that is prefetched, so payments are prefetched one at a time.");
		lines.addAll(problems(account.problems()));
		return lines;
	}

	static List<String> problems(List<String> problems) {
		List<String> lines = new ArrayList<>();
		problems.stream().limit(MOST_PROBLEMS).forEach((problem) -> lines.add("  WRONG: " + problem));
		if (problems.size() > MOST_PROBLEMS) {
			lines.add("  and %d more".formatted(problems.size() - MOST_PROBLEMS));
		}
		return lines;
	}

	/**
	 * What to try on the command line.
	 * @param worker where the worker is
	 * @param fixed how many messages the fix heals that are still parked, by reason
	 * @param notFixed how many messages it does not heal
	 * @return commands for the folder of the sources, in their order
	 */
	static List<String> commands(URI worker, Map<String, Long> fixed, long notFixed) {
		String replays = fixed.entrySet()
			.stream()
			.map((entry) -> "retry-starter/cli/rabbit-retry replay --reason %s --expect %d --because HANDLER_FIXED\n"
				.formatted(entry.getKey(), entry.getValue()))
			.collect(Collectors.joining());
		return """
				export RABBIT_RETRY_URL=%s RABBIT_RETRY_USER=${USER:-ops}
				retry-starter/cli/rabbit-retry doctor
				retry-starter/cli/rabbit-retry waiting
				retry-starter/cli/rabbit-retry parked groups
				retry-starter/cli/rabbit-retry parked show --latest
				%s# not fixed: the canary stops it
				retry-starter/cli/rabbit-retry replay --reason ILLEGAL_BUSINESS_TRANSITION --because TRY_IT --dry-run
				retry-starter/cli/rabbit-retry replay --reason ILLEGAL_BUSINESS_TRANSITION --expect %d --because TRY_IT
				retry-starter/cli/rabbit-retry jobs show --latest
				retry-starter/cli/rabbit-retry audit --size 5"""
			.formatted(worker.resolve("/actuator"), replays, notFixed)
			.lines()
			.toList();
	}

}
