/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.report;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.TypeConversionException;

/**
 * Options of a command. All of them are positive numbers, or flags.
 */
public final class Options {

	private static final String QUICK = "--quick";

	private final boolean quick;

	private final Map<String, Integer> values;

	/** Those without a number. */
	private final Set<String> flags;

	private Options(boolean quick, Map<String, Integer> values, Set<String> flags) {
		this.quick = quick;
		this.values = values;
		this.flags = flags;
	}

	/**
	 * Makes the command of a benchmark, which understands {@code --rounds 5 --peers}.
	 * With {@code --quick}, what is not given is short.
	 * @param name the command's name
	 * @param benchmark whose options they are
	 * @param run measures, and returns the exit status
	 * @return the command
	 */
	public static CommandLine command(String name, Benchmark benchmark, ToIntFunction<Options> run) {
		CommandSpec spec = CommandSpec.create().name(name);
		spec.addOption(
				OptionSpec.builder("-h", "--help").usageHelp(true).description("Prints this help and exits.").build());
		spec.addOption(OptionSpec.builder(QUICK)
			.type(boolean.class)
			.description("Shorter, with figures that say little: "
					+ new Options(false, new TreeMap<>(benchmark.quick()), Set.of()))
			.build());
		benchmark.options().forEach((option, value) -> spec.addOption(option(option, value)));
		return new CommandLine(spec)
			.setExecutionStrategy((parsed) -> help(parsed) ? 0 : run.applyAsInt(of(parsed, benchmark)));
	}

	private static OptionSpec option(String option, int value) {
		OptionSpec.Builder builder = OptionSpec.builder(option);
		return (value == 0) ? builder.type(boolean.class).build()
				: builder.type(int.class)
					.paramLabel("<number>")
					.converters(Options::positive)
					.description("Default: " + value)
					.build();
	}

	private static int positive(String text) {
		if (!text.matches("[1-9][0-9]{0,8}")) {
			throw new TypeConversionException("'%s' is not a number from 1 to 999999999".formatted(text));
		}
		return Integer.parseInt(text);
	}

	private static boolean help(ParseResult parsed) {
		return CommandLine.executeHelpRequest(parsed) != null;
	}

	private static Options of(ParseResult parsed, Benchmark benchmark) {
		Map<String, Integer> values = new TreeMap<>(benchmark.options());
		boolean quick = parsed.hasMatchedOption(QUICK);
		if (quick) {
			values.putAll(benchmark.quick());
		}
		values.replaceAll((option, value) -> !parsed.hasMatchedOption(option) ? value
				: (benchmark.options().get(option) == 0) ? 1 : parsed.matchedOptionValue(option, value));
		Set<String> flags = benchmark.options()
			.entrySet()
			.stream()
			.filter((option) -> option.getValue() == 0)
			.map(Map.Entry::getKey)
			.collect(Collectors.toSet());
		return new Options(quick, values, flags);
	}

	/**
	 * The number of an option.
	 * @param option such as {@code --rounds}
	 * @return its value
	 */
	public int get(String option) {
		return this.values.get(option);
	}

	/**
	 * Whether a flag is given.
	 * @param option such as {@code --peers}
	 * @return {@code true} if it is
	 */
	public boolean has(String option) {
		return get(option) > 0;
	}

	@Override
	public String toString() {
		StringBuilder text = new StringBuilder(this.quick ? QUICK + " " : "");
		this.values.forEach((option, value) -> {
			if (this.flags.contains(option)) {
				text.append((value > 0) ? option + " " : "");
			}
			else {
				text.append(option).append(' ').append(value).append(' ');
			}
		});
		return text.toString().trim();
	}

}
