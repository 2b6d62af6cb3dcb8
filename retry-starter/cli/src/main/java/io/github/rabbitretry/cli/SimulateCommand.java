/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.github.rabbitretry.cli.direct.ConfiguredPolicies;
import io.github.rabbitretry.cli.direct.ParkedAgain;
import io.github.rabbitretry.cli.output.SimulationChart;
import io.github.rabbitretry.cli.output.SimulationTables;
import io.github.rabbitretry.cli.service.ExitCode;
import io.github.rabbitretry.cli.service.Service;
import io.github.rabbitretry.cli.service.ServiceException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a configuration would do.
 */
@Command(name = "simulate",
		footer = {
				"  rabbit-retry simulate --config application.yml --policy CreateOrderCommand --rate 50/s --outage 10m",
				"  rabbit-retry simulate --config application.yml --compare other.yml --policy CreateOrderCommand"
						+ " --rate 50/s --outage 10m --svg compared.svg",
				"  rabbit-retry simulate --against ledger --compare changed.yml" },
		description = { "Simulates what a message policy does while a service that handlers call is down.",
				"Uses a virtual clock and shows handler calls, waiting and parked messages per minute. Needs only --config.",
				"--against ledger: what changed classification rules would decide about messages that are parked now." })
final class SimulateCommand extends ServiceCommand {

	@Option(names = "--policy", paramLabel = "TYPE", description = "the message policy")
	private @Nullable String policy;

	@Option(names = "--compare", paramLabel = "FILE",
			description = "another application.yml to compare with; later files override earlier ones")
	private List<Path> compare = List.of();

	@Option(names = "--svg", paramLabel = "FILE", description = "also write a chart to this file")
	private @Nullable Path svg;

	@Option(names = "--against", paramLabel = "ledger",
			description = "apply the rules of --compare, or otherwise of --config, to the service's parked messages")
	private @Nullable Against against;

	private SimulateCommand(Session session) {
		super(session);
	}

	static CommandLine line(Session session) {
		return new SimulateCommand(session).with(Argument.Kind.SIMULATION);
	}

	@Override
	ExitCode run() {
		return (this.against != null) ? decideAnew() : simulate();
	}

	private ExitCode simulate() {
		GlobalOptions options = session().options();
		if (options.config.isEmpty() || options.broker != null || options.url != null || options.login != null
				|| options.tokenFile != null) {
			throw usage("simulate reads --config and nothing else. Give the service's application.yml.");
		}
		ConfiguredPolicies policies = ConfiguredPolicies.read(options.config);
		if (this.policy == null) {
			throw usage("--policy is missing; there are %s.".formatted(String.join(", ", policies.messageTypes())));
		}
		for (Argument needed : List.of(Argument.ARRIVALS, Argument.OUTAGE)) {
			if (!arguments().has(needed)) {
				throw usage("%s is missing. Try: rabbit-retry simulate --help".formatted(needed.option()));
			}
		}
		ObjectNode answer = JsonNodeFactory.instance.objectNode();
		ArrayNode simulations = answer.putArray("simulations");
		Map<String, String> load = arguments().map();
		if (this.compare.isEmpty()) {
			simulations.add(policies.simulate(this.policy, load, null));
		}
		else {
			boolean brief = !names(options.config, true).equals(names(this.compare, true));
			simulations.add(policies.simulate(this.policy, load, names(options.config, brief)));
			simulations
				.add(ConfiguredPolicies.read(this.compare).simulate(this.policy, load, names(this.compare, brief)));
		}
		if (this.svg != null) {
			write(SimulationChart.of(answer), this.svg);
		}
		session().print(answer, SimulationTables::simulations);
		return ExitCode.DONE;
	}

	private static String names(List<Path> files, boolean brief) {
		return files.stream()
			.map((file) -> (brief ? file.getFileName() : file).toString())
			.collect(Collectors.joining(" + "));
	}

	private static void write(String chart, Path file) {
		try {
			Files.writeString(file, chart);
		}
		catch (IOException ex) {
			throw new ServiceException(ExitCode.NOT_WRITTEN,
					"--svg %s can't be written: %s.".formatted(file, ex.getClass().getSimpleName()));
		}
	}

	private ExitCode decideAnew() {
		if (!arguments().map().isEmpty() || this.svg != null) {
			throw usage(
					"--against ledger simulates nothing: of the options above only --policy and --compare go with it.");
		}
		List<Path> rules = this.compare.isEmpty() ? session().options().config : this.compare;
		if (rules.isEmpty()) {
			throw usage("--against ledger needs the changed rules: give an application.yml with --compare.");
		}
		Map<String, String> filter = (this.policy != null) ? Map.of("messageType", this.policy) : Map.of();
		ParkedAgain decider = new ParkedAgain(ConfiguredPolicies.read(rules));
		try (Service parked = session().openService()) {
			session().print(decider.decide(parked, filter), SimulationTables::decidedAnew);
		}
		return ExitCode.DONE;
	}

	private static ServiceException usage(String message) {
		return new ServiceException(ExitCode.USAGE, message);
	}

	/** What is decided anew. */
	enum Against {

		// the name is what users type
		ledger

	}

}
