/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import java.util.List;

import io.github.rabbitretry.cli.direct.ConfiguredPolicies;
import io.github.rabbitretry.cli.output.SimulationTables;
import io.github.rabbitretry.cli.service.ExitCode;
import io.github.rabbitretry.cli.service.ServiceException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * What a configuration would do.
 */
@Command(name = "simulate",
		footer = {
				"  rabbit-retry simulate --config application.yml --policy CreateOrderCommand --rate 50/s --outage 10m",
				"  rabbit-retry simulate --config application.yml --policy CreateOrderCommand --rate 50/s --outage 10m"
						+ " --failing 20%% --output json" },
		description = { "Simulates what a message policy does while a service that handlers call is down.",
				"Uses a virtual clock and shows handler calls, waiting and parked messages per minute. Needs only --config." })
final class SimulateCommand extends ServiceCommand {

	@Option(names = "--policy", paramLabel = "TYPE", description = "the message policy")
	private @Nullable String policy;

	@Override
	ExitCode run() {
		GlobalOptions options = session().options();
		if (options.config.isEmpty() || options.broker != null || options.url != null || options.login != null
				|| options.tokenFile != null) {
			throw ServiceException
				.usage("simulate reads --config and nothing else. Give the service's application.yml.");
		}
		ConfiguredPolicies policies = ConfiguredPolicies.read(options.config);
		if (this.policy == null) {
			throw ServiceException
				.usage("--policy is missing; there are %s.".formatted(String.join(", ", policies.messageTypes())));
		}
		for (Argument needed : List.of(Argument.ARRIVALS, Argument.OUTAGE)) {
			if (!arguments().has(needed)) {
				throw ServiceException
					.usage("%s is missing. Try: rabbit-retry simulate --help".formatted(needed.option));
			}
		}
		session().print(policies.simulate(this.policy, arguments().map()), SimulationTables::simulation);
		return ExitCode.DONE;
	}

}
