/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import java.io.PrintWriter;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import io.github.rabbitretry.cli.output.Console;
import io.github.rabbitretry.cli.service.ExitCode;
import io.github.rabbitretry.cli.service.ServiceException;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * All commands.
 */
@Command(name = "rabbit-retry", description = { "Lists, shows, replays and discards parked messages of RabbitMQ.", "",
		"Uses a running service's actuator (--url). doctor, topology, export and simulate need only its configuration (--config)." },
		footer = { "  rabbit-retry parked groups --url http://127.0.0.1:8080/actuator",
				"  rabbit-retry replay --cause 4be1f0c2a9d7 --because TRY_IT --dry-run",
				"  source <(rabbit-retry completion)        (bash and zsh)", "",
				"Exit codes: 0 done, 1 a replay did not end well or the doctor found something, 2 usage, 3 refused, 4 not found,",
				"5 service or broker not available, 6 a replay is incomplete,",
				"70 a bug, 74 the output could not be written, 130 interrupted." })
final class Commands implements IVersionProvider {

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
		for (String name : named(arguments)) {
			root.addSubcommand(command(name, session));
		}
		style(root);
		// a text that begins with @ is that text and no file
		root.setExpandAtFiles(false);
		root.setOut(session.console().out());
		root.setCaseInsensitiveEnumValuesAllowed(true);
		root.setUsageHelpAutoWidth(true);
		root.setParameterExceptionHandler((ex, given) -> misunderstood(session.console(), ex));
		root.setExecutionExceptionHandler((ex, line, parsed) -> failed(session, ex));
		return root;
	}

	private static void style(CommandLine line) {
		line.getCommandSpec().usageMessage().sortOptions(false).abbreviateSynopsis(true).footerHeading("%nExamples:%n");
		line.getSubcommands().values().forEach(Commands::style);
	}

	private static CommandLine command(String name, Session session) {
		return switch (name) {
			case "replay" -> new ReplayCommand().line(session, Argument.Kind.FILTER, Argument.Kind.UNCERTAIN,
					Argument.Kind.MAXIMUM, Argument.Kind.REPLAY, Argument.Kind.ACT);
			case "parked" -> ParkedCommands.line(session);
			case "jobs" -> JobsCommands.line(session);
			case "waiting" -> new WaitingCommand().line(session);
			case "topology" -> new TopologyCommand().line(session);
			case "doctor" -> new DoctorCommand().line(session);
			case "export" -> ExportCommands.line(session);
			case "audit" -> new AuditCommand().line(session, Argument.Kind.AUDIT);
			case "simulate" -> new SimulateCommand().line(session, Argument.Kind.SIMULATION);
			default -> new CommandLine(new Completion());
		};
	}

	/**
	 * The commands that a line can mean. To make all takes longer than a request; who
	 * asks for help or completion, or types something else, sees all.
	 */
	private static List<String> named(List<String> arguments) {
		List<String> named = arguments.stream().filter(NAMES::contains).distinct().toList();
		boolean all = named.isEmpty() || !Collections.disjoint(arguments, NEED_ALL);
		return all ? NAMES : named;
	}

	private static int misunderstood(Console console, ParameterException failure) {
		String command = failure.getCommandLine().getCommandSpec().qualifiedName();
		console.note("%s. Try: %s --help".formatted(explained(failure).replaceAll("\\.$", ""), command));
		return ExitCode.USAGE.number();
	}

	/** What follows an option that does not exist may be a secret. */
	private static String explained(ParameterException failure) {
		List<String> options = (failure instanceof UnmatchedArgumentException unmatched) ? unmatched.getUnmatched()
			.stream()
			.filter((argument) -> argument.startsWith("-"))
			.map((argument) -> argument.replaceFirst("^(--[^=]*|-.?).*", "$1"))
			.toList() : List.of();
		return options.isEmpty() ? String.valueOf(failure.getMessage())
				: "Unknown option: " + String.join(", ", options);
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

	@Command(name = "completion",
			footer = { "  rabbit-retry completion > ~/.rabbit-retry-completion",
					"  source ~/.rabbit-retry-completion                 (in ~/.bashrc or ~/.zshrc)" },
			description = "Prints a completion script for bash and zsh.")
	static final class Completion implements Runnable {

		@Spec
		private @Nullable CommandSpec spec;

		@Override
		public void run() {
			CommandLine root = Objects.requireNonNull(this.spec).root().commandLine();
			PrintWriter out = root.getOut();
			out.print(AutoComplete.bash(root.getCommandName(), root));
			out.flush();
		}

	}

}
