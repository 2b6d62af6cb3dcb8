/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import java.io.PrintWriter;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * Has a shell complete commands and options.
 */
@Command(name = "completion", sortOptions = false, abbreviateSynopsis = true, footerHeading = "%nExamples:%n",
		footer = { "  rabbit-retry completion > ~/.rabbit-retry-completion",
				"  source ~/.rabbit-retry-completion                 (in ~/.bashrc or ~/.zshrc)" },
		description = "Prints a script that has bash or zsh complete commands and options.")
final class CompletionCommand implements Runnable {

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
