/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.direct;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.classify.Reasons;
import io.github.rabbitretry.internal.classify.Classifications;
import io.github.rabbitretry.simulation.SimulatedLoad;

import org.springframework.boot.convert.DurationStyle;

/**
 * Reads what is to be simulated.
 */
final class SimulationArguments {

	private static final Pattern RATE = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)(?:/(s|min|m|h|d))?");

	private static final Pattern PERCENT = Pattern.compile("(\\d{1,3}(?:\\.\\d{1,9})?) ?%");

	private static final Pattern NUMBER = Pattern.compile("[+-]?[0-9]+");

	private static final int MOST_CONSUMERS = 1_000_000;

	private final Map<String, String> arguments;

	SimulationArguments(Map<String, String> arguments) {
		this.arguments = arguments;
	}

	/**
	 * Reads them.
	 * @return the load
	 * @throws IllegalArgumentException if it can't be simulated; the message names the
	 * argument
	 */
	SimulatedLoad load() {
		String reason = text("reason", Reasons.DOWNSTREAM_UNAVAILABLE);
		Duration handlerTime = duration("handlerTime", Duration.ZERO);
		return new SimulatedLoad(rate(text("rate", "")), duration("outage", Duration.ZERO),
				duration("outageAt", Duration.ZERO), percent(text("failing", "100%")), failureClass(reason), reason,
				handlerTime, duration("failingTime", handlerTime), consumers(),
				this.arguments.containsKey("duration") ? duration("duration", Duration.ZERO) : null, start(),
				number("seed", 1));
	}

	private String text(String name, String otherwise) {
		return this.arguments.getOrDefault(name, otherwise).strip();
	}

	private <T> T value(String name, T otherwise, Function<String, T> parser, String problem) {
		if (!this.arguments.containsKey(name)) {
			return otherwise;
		}
		try {
			return parser.apply(text(name, ""));
		}
		catch (IllegalArgumentException | DateTimeException ex) {
			throw new IllegalArgumentException("'%s' %s".formatted(name, problem), ex);
		}
	}

	/** A number without a unit is none, unless it is 0. */
	private Duration duration(String name, Duration otherwise) {
		return value(name, otherwise, (text) -> {
			Duration duration = DurationStyle.detectAndParse(text);
			if (!duration.isZero() && NUMBER.matcher(text).matches()) {
				throw new IllegalArgumentException("no unit");
			}
			return duration;
		}, "must be a time as 30s, 10m or 2h.");
	}

	private long number(String name, long otherwise) {
		return value(name, otherwise, Long::valueOf, "is not a whole number.");
	}

	private int consumers() {
		long number = number("concurrency", 1);
		if (number < 1 || number > MOST_CONSUMERS) {
			throw new IllegalArgumentException(
					"'concurrency' is %s. It must be from 1 to %s.".formatted(number, MOST_CONSUMERS));
		}
		return (int) number;
	}

	private Instant start() {
		return value("start", Instant.now().truncatedTo(ChronoUnit.MINUTES),
				(text) -> OffsetDateTime.parse(text).toInstant(), "is no instant as 2026-07-01T12:00:00Z.");
	}

	private static double rate(String text) {
		Matcher rate = RATE.matcher(text);
		if (!rate.matches()) {
			throw new IllegalArgumentException(
					"'rate' is '%s', which is no rate as 50/s, 300/min or 20/h.".formatted(text));
		}
		double number = Double.parseDouble(rate.group(1));
		return switch ((rate.group(2) != null) ? rate.group(2) : "s") {
			case "s" -> number;
			case "h" -> number / 3600;
			case "d" -> number / 86_400;
			default -> number / 60;
		};
	}

	private static double percent(String text) {
		Matcher percent = PERCENT.matcher(text);
		if (!percent.matches()) {
			throw new IllegalArgumentException("'failing' is '%s', which is no percentage as 100%%.".formatted(text));
		}
		return Double.parseDouble(percent.group(1)) / 100;
	}

	private FailureClass failureClass(String reason) {
		String label = this.arguments.get("failureClass");
		return ((label != null) ? FailureClass.ofLabel(label) : Classifications.failureClass(reason))
			.orElseThrow(() -> new IllegalArgumentException((label != null)
					? "'failureClass' is '%s'. Supported: transient, contention, permanent-technical, permanent-business, poison, unknown."
						.formatted(label)
					: "'reason' is '%s', which is not built in: 'failureClass' says what it is, as transient or permanent-business."
						.formatted(reason)));
	}

}
