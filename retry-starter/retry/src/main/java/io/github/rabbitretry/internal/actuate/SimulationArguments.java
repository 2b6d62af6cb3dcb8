/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.actuate;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.classify.FailureClassification;
import io.github.rabbitretry.classify.Reasons;
import io.github.rabbitretry.internal.classify.BuiltInReasons;
import io.github.rabbitretry.simulation.SimulatedLoad;
import org.jspecify.annotations.Nullable;

/**
 * Reads what is to be simulated.
 */
final class SimulationArguments {

	private static final Pattern RATE = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)(?:/(s|min|m|h|d))?");

	private static final Pattern PERCENT = Pattern.compile("(\\d{1,3}(?:\\.\\d{1,9})?) ?%");

	private static final int MOST_CONSUMERS = 1_000_000;

	private SimulationArguments() {
	}

	static SimulatedLoad read(EndpointRequest request, Clock clock, int consumers) {
		double rate = rate(request.required("rate"));
		Duration outage = request.duration("outage");
		if (outage == null) {
			throw EndpointException.invalid("'outage' is missing: how long the service is down, as 10m.");
		}
		Duration outageAt = or(request.duration("outageAt"), Duration.ZERO);
		double failing = percent(request.text("failing"));
		FailureClassification failure = failure(request.text("reason"), request.text("failureClass"));
		Duration handlerTime = or(request.duration("handlerTime"), Duration.ZERO);
		Duration failingTime = or(request.duration("failingTime"), handlerTime);
		int concurrency = (int) request.number("concurrency", 1, MOST_CONSUMERS, consumers);
		Duration duration = request.duration("duration");
		Instant start = request.instant("start");
		long seed = request.number("seed", Long.MIN_VALUE, Long.MAX_VALUE, 1);
		request.done();
		try {
			return new SimulatedLoad(rate, outage, outageAt, failing, failure.failureClass(), failure.reason(),
					handlerTime, failingTime, concurrency, duration,
					(start != null) ? start : clock.instant().truncatedTo(ChronoUnit.MINUTES), seed);
		}
		catch (IllegalArgumentException ex) {
			throw EndpointException.invalid(String.valueOf(ex.getMessage()));
		}
	}

	private static Duration or(@Nullable Duration given, Duration otherwise) {
		return (given != null) ? given : otherwise;
	}

	private static double rate(String text) {
		Matcher rate = RATE.matcher(text.strip());
		if (!rate.matches()) {
			throw EndpointException
				.invalid("'rate' is '%s', which is no rate as 50/s, 300/min or 20/h.".formatted(text));
		}
		double number = Double.parseDouble(rate.group(1));
		return switch ((rate.group(2) != null) ? rate.group(2) : "s") {
			case "s" -> number;
			case "h" -> number / 3600;
			case "d" -> number / 86_400;
			default -> number / 60;
		};
	}

	private static double percent(@Nullable String text) {
		if (text == null) {
			return 1;
		}
		Matcher percent = PERCENT.matcher(text.strip());
		if (!percent.matches()) {
			throw EndpointException.invalid("'failing' is '%s', which is no percentage as 100%%.".formatted(text));
		}
		return Double.parseDouble(percent.group(1)) / 100;
	}

	private static FailureClassification failure(@Nullable String reason, @Nullable String label) {
		String because = (reason != null) ? reason : Reasons.DOWNSTREAM_UNAVAILABLE;
		Optional<FailureClass> failureClass = (label != null) ? FailureClass.ofLabel(label)
				: BuiltInReasons.failureClass(because);
		if (failureClass.isEmpty() && label != null) {
			throw EndpointException.invalid(
					"'failureClass' is '%s'. Supported: transient, contention, permanent-technical, permanent-business, poison, unknown."
						.formatted(label));
		}
		try {
			return FailureClassification.of(failureClass.orElseThrow(() -> EndpointException.invalid(
					"'reason' is '%s', which is not built in: 'failureClass' says what it is, as transient or permanent-business."
						.formatted(because))),
					because);
		}
		catch (IllegalArgumentException ex) {
			throw EndpointException
				.invalid("'reason' is '%s'. It must be upper case letters, digits and underscores, as %s."
					.formatted(because, Reasons.DOWNSTREAM_UNAVAILABLE));
		}
	}

}
