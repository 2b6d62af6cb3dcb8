/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.github.rabbitretry.cli.direct.DirectPlan;
import io.github.rabbitretry.cli.direct.DirectSettings;
import io.github.rabbitretry.cli.output.TopologyTables;
import io.github.rabbitretry.cli.service.ExitCode;
import io.github.rabbitretry.cli.service.Request;
import io.github.rabbitretry.cli.service.Service;
import io.github.rabbitretry.cli.service.ServiceException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/**
 * The way from the topology on the broker to the configured one.
 */
@Command(name = "plan",
		footer = { "  rabbit-retry topology plan", "  rabbit-retry topology plan --config application.yml",
				"  rabbit-retry topology plan --config application.yml --former-config before.yml > plan.sh" },
		description = { "Prints the steps from the topology on the broker to the configured one, as shell commands.",
				"Changes nothing. Each command can be repeated. The exit code is 1 if there are steps." })
final class TopologyPlanCommand extends ServiceCommand {

	@Option(names = "--former-config", paramLabel = "FILE",
			description = "the previous application.yml: required if names, queue types or limits were changed")
	private List<Path> former = List.of();

	TopologyPlanCommand(Session session) {
		super(session);
	}

	@Override
	ExitCode run() {
		GlobalOptions options = session().options();
		JsonNode plan;
		if (options.direct() && options.url == null) {
			plan = DirectPlan.of(
					new DirectSettings(options.config, options.broker, options.application, options.verbose),
					this.former);
		}
		else if (options.direct() || !this.former.isEmpty()) {
			throw new ServiceException(ExitCode.USAGE,
					"A service plans for the configuration that it has. Give either --url, or --config with --former-config.");
		}
		else {
			try (Service service = session().openTopology(false)) {
				plan = service.ask(Request.read(Map.of(), "retrytopology", "plan"));
			}
		}
		session().print(plan, TopologyTables::plan, "Nothing to do.");
		return plan.path("steps").isEmpty() ? ExitCode.DONE : ExitCode.NOT_WELL;
	}

}
