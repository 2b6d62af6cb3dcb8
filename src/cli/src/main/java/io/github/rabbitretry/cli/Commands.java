/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import io.github.rabbitretry.cli.service.ExitCode;
import io.github.rabbitretry.cli.service.ServiceException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

/**
 * All commands.
 */
@Command(name = "rabbit-retry", sortOptions = false, abbreviateSynopsis = true, description = {
		"Parked messages of RabbitMQ: listed, shown, replayed, discarded.", "",
		"Talks to a running service's actuator (--url), or goes straight to its broker and database (--config)." },
		footer = { "", "Exit codes: 0 done, 1 a replay did not end well, 2 usage, 3 refused, 4 not found,",
				"5 service, broker or database not available, 130 interrupted." })
final class Commands implements Runnable {

	@Mixin
	private final GlobalOptions options;

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
		return line(session).execute(arguments);
	}

	private static CommandLine line(Session session) {
		CommandLine root = new CommandLine(new Commands(session));
		add(root, ReplayCommand.line(session));
		CommandLine parked = add(root, new CommandLine(new ParkedCommands()));
		ParkedCommands.all(session).forEach((command) -> add(parked, command));
		CommandLine jobs = add(root, new JobsCommands.Listing(session).with());
		JobsCommands.all(session).forEach((command) -> add(jobs, command));
		add(root, AuditCommand.line(session));
		// a text that begins with @ is that text and no file
		root.setExpandAtFiles(false);
		root.setCaseInsensitiveEnumValuesAllowed(true);
		root.setUsageHelpAutoWidth(true);
		root.setParameterExceptionHandler((ex, given) -> misunderstood(session.screen(), ex));
		root.setExecutionExceptionHandler((ex, line, parsed) -> failed(session, ex));
		return root;
	}

	private static CommandLine add(CommandLine parent, CommandLine command) {
		parent.addSubcommand(command);
		return command;
	}

	private static int misunderstood(Screen screen, ParameterException failure) {
		String command = failure.getCommandLine().getCommandSpec().qualifiedName();
		screen
			.note("%s. Try: %s --help".formatted(String.valueOf(failure.getMessage()).replaceAll("\\.$", ""), command));
		return ExitCode.USAGE.number();
	}

	private static int failed(Session session, Exception failure) {
		if (failure instanceof ServiceException known) {
			String message = String.valueOf(known.getMessage());
			if (!message.isEmpty()) {
				session.screen().note("rabbit-retry: " + Argument.translated(message));
			}
			return known.exitCode().number();
		}
		session.screen().note("rabbit-retry: a bug, please report it: " + failure);
		if (session.options().verbose) {
			failure.printStackTrace();
		}
		return ExitCode.BUG.number();
	}

	@Override
	public void run() {
		throw new ServiceException(ExitCode.USAGE, "Which command? Try: rabbit-retry --help");
	}

}
