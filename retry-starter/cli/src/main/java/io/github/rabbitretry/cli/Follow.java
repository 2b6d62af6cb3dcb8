/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import java.util.Locale;
import java.util.Map;
import java.util.Set;

import io.github.rabbitretry.cli.output.Console;
import io.github.rabbitretry.cli.service.ExitCode;
import io.github.rabbitretry.cli.service.Request;
import io.github.rabbitretry.cli.service.Service;
import io.github.rabbitretry.cli.service.ServiceException;
import io.github.rabbitretry.internal.management.ShellWord;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Watches a replay until it is no longer being processed. It is not the replay: when the
 * watcher goes, the replay stays.
 */
final class Follow {

	private static final Set<String> WORKED_ON = Set.of("CANARY", "RUNNING");

	private static final long BETWEEN = 500;

	private static final long BETWEEN_LINES = 10_000;

	/** A service that is restarted is back by then. */
	private static final long PATIENCE = 30_000;

	private final Session session;

	private final Service service;

	private final String replayId;

	private final long settle;

	private long lineAt;

	private @Nullable String lastState;

	private String lastStall = "";

	Follow(Session session, Service service, String replayId, int settleSeconds) {
		this.session = session;
		this.service = service;
		this.replayId = replayId;
		this.settle = settleSeconds * 1000L;
		this.lineAt = session.pause().now();
	}

	/**
	 * Watches.
	 * @return the replay as it was last seen
	 */
	JsonNode toTheEnd() {
		JsonNode job = look();
		while (WORKED_ON.contains(state(job))) {
			this.session.pause().millis(BETWEEN);
			job = look();
		}
		// outcomes are written a little later, and copies for inspection have none
		long until = this.session.pause().now() + this.settle;
		boolean outcomes = !job.path("replay").path("options").hasNonNull("target");
		while (outcomes && count(job, "undecided") > 0 && this.session.pause().now() < until) {
			this.session.pause().millis(BETWEEN);
			job = look();
		}
		return job;
	}

	private JsonNode look() {
		long until = this.session.pause().now() + PATIENCE;
		while (true) {
			try {
				JsonNode job = this.service.ask(Request.read(Map.of(), "replays", this.replayId));
				show(job);
				return job;
			}
			catch (ServiceException ex) {
				if (ex.exitCode() != ExitCode.UNAVAILABLE || this.session.pause().now() >= until) {
					throw ex;
				}
				this.session.pause().millis(BETWEEN);
			}
		}
	}

	private void show(JsonNode job) {
		String stall = stall(job);
		if (!stall.isEmpty() && !stall.equals(this.lastStall)) {
			this.session.console().note(this.replayId + " stalled: " + stall);
		}
		this.lastStall = stall;
		String state = state(job);
		long now = this.session.pause().now();
		if (!state.equals(this.lastState) || now - this.lineAt >= BETWEEN_LINES) {
			this.session.console().note(this.replayId + " " + line(job));
			this.lineAt = now;
		}
		this.lastState = state;
	}

	private static String line(JsonNode job) {
		long selected = count(job, "selected");
		long dealtWith = selected - count(job, "waiting") - count(job, "inFlight");
		return String.format(Locale.ROOT, "%s %.1f %%, %d of %d, %d succeeded, %d parked again%s%s", state(job),
				job.path("percent").asDouble(0), dealtWith, selected, count(job, "succeeded"),
				count(job, "parkedAgain"), (count(job, "failed") > 0) ? ", " + count(job, "failed") + " failed" : "",
				stall(job).isEmpty() ? "" : ", stalled");
	}

	private static String stall(JsonNode job) {
		JsonNode replay = job.path("replay");
		return replay.hasNonNull("stalled")
				? replay.path("stalled").asString("") + ", since " + replay.path("stalledSince").asString("") : "";
	}

	private static String state(JsonNode job) {
		return job.path("replay").path("state").asString("");
	}

	private static long count(JsonNode job, String name) {
		return job.path("replay").path("counts").path(name).asLong(0);
	}

	/**
	 * What is to be said of how a replay stands.
	 * @param job the replay
	 * @param console where to say it
	 * @return how the command ends
	 */
	static ExitCode verdict(JsonNode job, Console console) {
		JsonNode replay = job.path("replay");
		String id = replay.path("id").asString("");
		if (count(job, "undecided") > 0 && !replay.path("options").hasNonNull("target")) {
			console.note("The outcome of %s is not known yet: jobs show %s".formatted(count(job, "undecided"), id));
		}
		if (count(job, "uncertain") > 0) {
			console
				.note("It is not known whether %s were published. When it is known that they were not handled: replay"
					.formatted(count(job, "uncertain")) + " --uncertain-of %s, or jobs restore %s".formatted(id, id));
		}
		String state = state(job);
		if (state.equals("PAUSED")) {
			console.note("It is paused. To resume it: jobs resume %s".formatted(id));
		}
		if (count(job, "skipped") > 0) {
			console.note("%s were no longer parked when their turn came: jobs items %s --state SKIPPED"
				.formatted(count(job, "skipped"), id));
		}
		if (!WORKED_ON.contains(state) && !state.equals("FINISHED") && count(job, "waiting") > 0
				&& !state.equals("PAUSED")) {
			console.note("%s were not published. To replay them: replay --rest-of %s%s".formatted(count(job, "waiting"),
					id, elsewhere(replay.path("options"))));
		}
		boolean clean = count(job, "parkedAgain") == 0 && count(job, "failed") == 0 && count(job, "uncertain") == 0;
		if (clean && state.equals("INCOMPLETE")) {
			return ExitCode.INCOMPLETE;
		}
		boolean well = clean && state.equals("FINISHED");
		return well ? ExitCode.DONE : ExitCode.NOT_WELL;
	}

	private static String elsewhere(JsonNode options) {
		return options.hasNonNull("target") ? " --target " + ShellWord.quoted(options.path("target").asString(""))
				+ (options.path("move").asBoolean(false) ? " --move" : "") : "";
	}

}
