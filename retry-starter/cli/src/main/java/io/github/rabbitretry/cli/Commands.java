/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import java.util.Collections;
import java.util.List;
import java.util.Set;

import io.github.rabbitretry.cli.service.ExitCode;
import io.github.rabbitretry.cli.service.ServiceException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/**
 * All commands.
 */
@Command(name = "rabbit-retry", sortOptions = false, abbreviateSynopsis = true,
		description = { "Parked messages of RabbitMQ: listed, shown, replayed, discarded.", "",
				"Talks to a running service's actuator (--url), or directly to its broker and database (--config)." },
		footerHeading = "%nExamples:%n",
		footer = { "  rabbit-retry parked groups --url http://127.0.0.1:8080/actuator",
				"  rabbit-retry replay --cause 4be1f0c2a9d7 --because TRY_IT --dry-run",
				"  source <(rabbit-retry completion)        (bash and zsh)", "",
				"Exit codes: 0 done, 1 a replay did not end well or the doctor found something, 2 usage, 3 refused, 4 not found,",
				"5 service, broker or database not available, 6 a replay is incomplete,",
				"70 a bug, 74 the answer could not be written, 130 interrupted." })
final class Commands implements Runnable, IVersionProvider {

	private static final String COMPLETION = "completion";

	private static final List<String> NAMES = List.of("parked", "waiting", "topology", "doctor", "replay", "jobs",
			"audit", "simulate", "export", COMPLETION);

	private static final Set<String> NEED_ALL = Set.of("-h", "--help", COMPLETION);

	@Mixin
	private final GlobalOptions options;

	@Option(names = { "-V", "--version" }, versionHelp = true, order = 113, description = "show the version")
	private boolean version;

	private Commands(Session session) {
		this.options = session.options();
	}

	/**
	 * Runs one command.
	 * @param session what it works with
	 * @param arguments the command and its options
	 * @return the exit code
	 */
	static int run(Session session, String... arguments) {
		return line(session, List.of(arguments)).execute(arguments);
	}

	private static CommandLine line(Session session, List<String> arguments) {
		Commands commands = new Commands(session);
		CommandLine root = new CommandLine(commands);
		root.getCommandSpec().versionProvider(commands);
		for (String name : meant(NAMES, arguments)) {
			root.addSubcommand(command(name, session, arguments));
		}
		// a text that begins with @ is that text and no file
		root.setExpandAtFiles(false);
		root.setOut(session.console().out());
		root.setCaseInsensitiveEnumValuesAllowed(true);
		root.setUsageHelpAutoWidth(true);
		root.setParameterExceptionHandler((ex, given) -> misunderstood(session.console(), ex));
		root.setExecutionExceptionHandler((ex, line, parsed) -> failed(session, ex));
		return root;
	}

	private static CommandLine command(String name, Session session, List<String> arguments) {
		return switch (name) {
			case "replay" -> ReplayCommand.line(session);
			case "parked" -> {
				CommandLine parked = new CommandLine(new ParkedCommands());
				meant(ParkedCommands.NAMES, arguments)
					.forEach((command) -> parked.addSubcommand(ParkedCommands.command(command, session)));
				yield parked;
			}
			case "jobs" -> {
				CommandLine jobs = new JobsCommands.Listing(session).with();
				meant(JobsCommands.NAMES, arguments)
					.forEach((command) -> jobs.addSubcommand(JobsCommands.command(command, session)));
				yield jobs;
			}
			case "waiting" -> WaitingCommand.line(session);
			case "topology" -> TopologyCommand.line(session);
			case "doctor" -> DoctorCommand.line(session);
			case "export" -> {
				CommandLine export = new CommandLine(new ExportCommands());
				meant(ExportCommands.NAMES, arguments)
					.forEach((command) -> export.addSubcommand(ExportCommands.command(command, session)));
				yield export;
			}
			case "audit" -> AuditCommand.line(session);
			case "simulate" -> SimulateCommand.line(session);
			default -> new CommandLine(new CompletionCommand());
		};
	}

	/**
	 * The commands that a line can mean. To make all takes longer than a request; who
	 * asks for help or completion, or types something else, sees all.
	 */
	private static List<String> meant(List<String> names, List<String> arguments) {
		List<String> meant = arguments.stream().filter(names::contains).distinct().toList();
		boolean all = meant.isEmpty() || !Collections.disjoint(arguments, NEED_ALL);
		return all ? names : meant;
	}

	private static int misunderstood(Console console, ParameterException failure) {
		String command = failure.getCommandLine().getCommandSpec().qualifiedName();
		console
			.note("%s. Try: %s --help".formatted(String.valueOf(failure.getMessage()).replaceAll("\\.$", ""), command));
		return ExitCode.USAGE.number();
	}

	private static int failed(Session session, Exception failure) {
		if (failure instanceof ServiceException known) {
			String message = String.valueOf(known.getMessage());
			if (!message.isEmpty()) {
				session.console().note("rabbit-retry: " + Argument.translated(message));
			}
			return known.exitCode().number();
		}
		session.console().note("rabbit-retry: a bug, please report it: " + failure);
		if (session.options().verbose) {
			failure.printStackTrace();
		}
		return ExitCode.BUG.number();
	}

	@Override
	public String[] getVersion() {
		String version = Commands.class.getPackage().getImplementationVersion();
		return new String[] { "rabbit-retry %s (Java %s)".formatted((version != null) ? version : "from its sources",
				System.getProperty("java.version")) };
	}

	@Override
	public void run() {
		throw new ServiceException(ExitCode.USAGE, "Which command? Try: rabbit-retry --help");
	}

}
