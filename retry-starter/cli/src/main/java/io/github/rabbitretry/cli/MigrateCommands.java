/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.rabbitretry.cli.direct.DirectMigration;
import io.github.rabbitretry.cli.direct.DirectSettings;
import io.github.rabbitretry.cli.output.MigrationTables;
import io.github.rabbitretry.cli.service.ExitCode;
import io.github.rabbitretry.cli.service.ServiceException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/**
 * From the topology on the broker to the configured one.
 */
@Command(name = "migrate", sortOptions = false, abbreviateSynopsis = true, footerHeading = "%nExamples:%n",
		footer = { "  rabbit-retry migrate plan --config application.yml",
				"  rabbit-retry migrate apply --config application.yml" },
		description = "Leads from the queues on the broker to the configured ones: plan, apply.")
final class MigrateCommands implements Runnable {

	private MigrateCommands() {
	}

	static CommandLine line(Session session) {
		return new CommandLine(new MigrateCommands()).addSubcommand(new Plan(session))
			.addSubcommand(new Apply(session));
	}

	@Override
	public void run() {
		throw new ServiceException(ExitCode.USAGE, "Which of plan and apply? Try: rabbit-retry migrate --help");
	}

	/**
	 * What both need.
	 */
	abstract static class MigrateCommand implements Callable<Integer> {

		private final Session session;

		@Option(names = "--from", paramLabel = "FILE", order = 10,
				description = "the application.yml that was: needed where names were changed")
		private @Nullable Path from;

		@Option(names = "--replace", paramLabel = "QUEUE", order = 11,
				description = "replace this queue although its arguments are not ours; may be given again")
		private List<String> replace = List.of();

		MigrateCommand(Session session) {
			this.session = session;
		}

		@Override
		public final Integer call() {
			GlobalOptions options = this.session.options();
			if (!options.direct() || options.url != null) {
				throw new ServiceException(ExitCode.USAGE,
						"migrate goes to the broker itself. Give the service's application.yml with --config, and no --url.");
			}
			try (DirectMigration migration = DirectMigration.open(new DirectSettings(options.config, options.broker,
					options.database, options.application, options.verbose, false), this.from,
					Set.copyOf(this.replace))) {
				return run(migration).number();
			}
		}

		abstract ExitCode run(DirectMigration migration);

		final Session session() {
			return this.session;
		}

		static boolean pauses(JsonNode plan) {
			return plan.path("steps").valueStream().anyMatch((step) -> step.path("paused").asBoolean(false));
		}

		static String pause(JsonNode plan) {
			String queues = String.join(", ", plan.path("pausedQueues").valueStream().map(JsonNode::asString).toList());
			return "While steps run that are marked PAUSE, nobody may consume %s, nor publish to them by the default exchange. Producers that publish to exchanges go on."
				.formatted(queues.isEmpty() ? "the queues that they name" : queues);
		}

	}

	/**
	 * Shows the steps.
	 */
	@Command(name = "plan", sortOptions = false, abbreviateSynopsis = true, footerHeading = "%nExamples:%n",
			footer = { "  rabbit-retry migrate plan --config application.yml",
					"  rabbit-retry migrate plan --config application.yml --from before.yml --output json" },
			description = { "Shows the steps to the configured topology.",
					"What is created, moved, waited for and deleted, and what is left alone. Changes nothing." })
	static final class Plan extends MigrateCommand {

		Plan(Session session) {
			super(session);
		}

		@Override
		ExitCode run(DirectMigration migration) {
			JsonNode plan = migration.plan();
			session().print(plan, MigrationTables::plan);
			if (pauses(plan)) {
				session().console().note(pause(plan));
			}
			return ExitCode.DONE;
		}

	}

	/**
	 * Does the steps.
	 */
	@Command(name = "apply", sortOptions = false, abbreviateSynopsis = true, footerHeading = "%nExamples:%n",
			footer = { "  rabbit-retry migrate apply --config application.yml",
					"  rabbit-retry migrate apply --config application.yml --paused --wait 30m" },
			description = { "Does the steps of the plan, one after the other, and shows what is left.",
					"May be stopped, or killed, at any moment: called again, it does the rest." })
	static final class Apply extends MigrateCommand {

		private static final Pattern WAIT = Pattern.compile("([0-9]{1,6})(s|m|h|d)");

		@Option(names = "--paused", order = 12,
				description = "consumers, and producers by the default exchange, do pause; without it, steps that need that are not begun")
		private boolean paused;

		@Option(names = "--wait", paramLabel = "TIME", order = 13,
				description = "how long to wait for queues to become empty, as 30m; default 10m")
		private String wait = "10m";

		Apply(Session session) {
			super(session);
		}

		@Override
		ExitCode run(DirectMigration migration) {
			JsonNode answer = migration.apply(this.paused, patience(), session().console()::note);
			session().print(answer, MigrationTables::plan);
			session().console().note("%d steps done.".formatted(answer.path("done").asInt()));
			if (answer.hasNonNull("stopped")) {
				session().console().note(answer.path("stopped").asString());
			}
			else if (pauses(answer)) {
				session().console().note(pause(answer) + " Then: --paused");
			}
			return answer.path("steps").isEmpty() ? ExitCode.DONE : ExitCode.NOT_WELL;
		}

		private Duration patience() {
			Matcher matcher = WAIT.matcher(this.wait);
			if (!matcher.matches()) {
				throw new ServiceException(ExitCode.USAGE, "--wait must be a time as 30s, 10m or 2h.");
			}
			long amount = Long.parseLong(matcher.group(1));
			return switch (matcher.group(2)) {
				case "s" -> Duration.ofSeconds(amount);
				case "m" -> Duration.ofMinutes(amount);
				case "h" -> Duration.ofHours(amount);
				default -> Duration.ofDays(amount);
			};
		}

	}

}
