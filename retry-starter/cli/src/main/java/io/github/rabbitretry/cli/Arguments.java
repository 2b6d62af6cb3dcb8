/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.rabbitretry.cli.service.ServiceException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.ISetter;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The arguments of one request, as they were given.
 */
final class Arguments {

	private static final Pattern AGO = Pattern.compile("([0-9]{1,6})(s|m|min|h|d)");

	private static final Map<String, ChronoUnit> UNITS = Map.of("s", ChronoUnit.SECONDS, "m", ChronoUnit.MINUTES, "min",
			ChronoUnit.MINUTES, "h", ChronoUnit.HOURS, "d", ChronoUnit.DAYS);

	private final Map<String, String> values = new TreeMap<>();

	/**
	 * Adds options to a command, whose values end up here.
	 * @param command the command
	 * @param kinds which options
	 */
	void addTo(CommandLine command, Argument.Kind... kinds) {
		CommandSpec spec = command.getCommandSpec();
		int order = 10;
		for (Argument.Kind kind : kinds) {
			ArgGroupSpec.Builder group = ArgGroupSpec.builder()
				.heading("%n" + kind.heading + "%n")
				.validate(false)
				.multiplicity("0..1")
				.order(order++);
			Arrays.stream(Argument.values())
				.filter((argument) -> argument.kind == kind)
				.forEach((argument) -> group.addArg(option(spec, argument)));
			spec.addArgGroup(group.build());
		}
	}

	private OptionSpec option(CommandSpec command, Argument argument) {
		return OptionSpec.builder(argument.option)
			.paramLabel(argument.label)
			.description(argument.description)
			.type(String.class)
			.arity("1")
			.order(argument.ordinal())
			.setter(new ISetter() {
				@Override
				@SuppressWarnings("unchecked")
				public <T> T set(T value) {
					return (T) put(command, argument, (String) value);
				}
			})
			.build();
	}

	/** A filter that is empty by mistake would be no filter. */
	private @Nullable String put(CommandSpec command, Argument argument, @Nullable String value) {
		if (value == null) {
			return this.values.remove(argument.argument);
		}
		if (this.values.containsKey(argument.argument)) {
			throw new CommandLine.ParameterException(command.commandLine(),
					"%s is given more than once. Give it once.".formatted(argument.option));
		}
		if (value.isBlank()) {
			throw new CommandLine.ParameterException(command.commandLine(),
					"%s has no value. Leave it out, or give one.".formatted(argument.option));
		}
		return this.values.put(argument.argument, argument.time() ? instant(value, Instant.now()) : value);
	}

	Arguments with(String name, String value) {
		this.values.put(name, value);
		return this;
	}

	/** An option that is empty by mistake, as a variable of a script, would be none. */
	Arguments given(String name, @Nullable String value) {
		if (value != null && value.isBlank()) {
			throw ServiceException
				.usage("The option for '%s' has no value. Leave it out, or give one.".formatted(name));
		}
		return (value != null) ? with(name, value) : this;
	}

	Arguments with(String name, boolean set) {
		return set ? with(name, "true") : this;
	}

	Arguments ids(List<Long> ids) {
		return ids.isEmpty() ? this : with("ids", String.join(",", ids.stream().map(String::valueOf).toList()));
	}

	boolean has(Argument argument) {
		return this.values.containsKey(argument.argument);
	}

	Map<String, String> map() {
		return Map.copyOf(this.values);
	}

	/**
	 * Understands a point in time.
	 * @param text as {@code 2h} for two hours ago
	 * @param now when it is typed
	 * @return the instant; what is nothing like that, as it is
	 */
	static String instant(String text, Instant now) {
		Matcher ago = AGO.matcher(text);
		return ago.matches() ? now.minus(Long.parseLong(ago.group(1)), UNITS.get(ago.group(2))).toString() : text;
	}

}
