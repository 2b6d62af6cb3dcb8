/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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
				.heading("%n" + kind.heading() + "%n")
				.validate(false)
				.multiplicity("0..1")
				.order(order++);
			Arrays.stream(Argument.values())
				.filter((argument) -> argument.kind() == kind)
				.forEach((argument) -> group.addArg(option(spec, argument)));
			spec.addArgGroup(group.build());
		}
	}

	private OptionSpec option(CommandSpec command, Argument argument) {
		return OptionSpec.builder(argument.option())
			.paramLabel(argument.label())
			.description(argument.description())
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
			return this.values.remove(argument.argument());
		}
		if (this.values.containsKey(argument.argument())) {
			throw new CommandLine.ParameterException(command.commandLine(),
					"%s is given more than once. Give it once.".formatted(argument.option()));
		}
		if (value.isBlank()) {
			throw new CommandLine.ParameterException(command.commandLine(),
					"%s has no value. Leave it out, or give one.".formatted(argument.option()));
		}
		return this.values.put(argument.argument(),
				argument.time() ? instant(value, Instant.now(), ZoneId.systemDefault()) : value);
	}

	Arguments with(String name, String value) {
		this.values.put(name, value);
		return this;
	}

	Arguments given(String name, @Nullable String value) {
		return (value != null) ? with(name, value) : this;
	}

	Arguments with(String name, boolean set) {
		return set ? with(name, "true") : this;
	}

	Arguments ids(List<Long> ids) {
		return ids.isEmpty() ? this : with("ids", String.join(",", ids.stream().map(String::valueOf).toList()));
	}

	boolean has(Argument argument) {
		return this.values.containsKey(argument.argument());
	}

	Map<String, String> map() {
		return Map.copyOf(this.values);
	}

	/**
	 * Understands a point in time.
	 * @param text as {@code 2h} for two hours ago, or {@code 2026-07-01} or
	 * {@code 2026-07-01T12:00} where the user is
	 * @param now when it is typed
	 * @param zone where the user is
	 * @return the instant; what is none of these, as it is
	 */
	static String instant(String text, Instant now, ZoneId zone) {
		Matcher ago = AGO.matcher(text);
		if (ago.matches()) {
			long amount = Long.parseLong(ago.group(1));
			return now.minus(switch (ago.group(2)) {
				case "s" -> Duration.ofSeconds(amount);
				case "h" -> Duration.ofHours(amount);
				case "d" -> Duration.ofDays(amount);
				default -> Duration.ofMinutes(amount);
			}).toString();
		}
		try {
			boolean day = text.length() == "2026-07-01".length();
			return (day ? LocalDate.parse(text).atStartOfDay() : LocalDateTime.parse(text.replace(' ', 'T')))
				.atZone(zone)
				.toInstant()
				.toString();
		}
		catch (DateTimeException ex) {
			return text;
		}
	}

}
