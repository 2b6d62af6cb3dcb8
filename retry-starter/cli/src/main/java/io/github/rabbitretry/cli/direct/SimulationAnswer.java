/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.direct;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.rabbitretry.simulation.SimulatedLoad;
import io.github.rabbitretry.simulation.Simulation;
import org.jspecify.annotations.Nullable;

/**
 * A simulation as JSON, all values text or numbers.
 */
record SimulationAnswer(String messageType, Map<String, String> load, long messages, long succeeded,
		Map<String, Long> parked, Map<String, Long> discarded, long handlerCalls, long failedCalls, long retries,
		long throttled, long postponed, Peak downstreamPeak, Peak waitingPeak, Peak readyPeak,
		@Nullable String lastRetry, @Nullable String lastParked, String end, List<Simulation.Minute> minutes,
		List<String> notSimulated) {

	static SimulationAnswer of(Simulation one, boolean hours) {
		return new SimulationAnswer(one.messageType(), load(one.load(), hours), one.messages(), one.succeeded(),
				one.parked(), one.discarded(), one.handlerCalls(), one.failedCalls(), one.retries(), one.throttled(),
				one.postponed(), Peak.of(one.downstreamPeak()), Peak.of(one.waitingPeak()), Peak.of(one.readyPeak()),
				text(one.lastRetry()), text(one.lastParked()), String.valueOf(text(one.end())), one.minutes(),
				one.notSimulated());
	}

	/** What was asked for, in the words of the arguments. */
	private static Map<String, String> load(SimulatedLoad load, boolean hours) {
		Map<String, String> values = new LinkedHashMap<>();
		values.put("rate", number(load.rate()) + "/s");
		values.put("outage", load.outage().toString());
		if (!load.outageAt().isZero()) {
			values.put("outageAt", load.outageAt().toString());
		}
		values.put("failing", number(100 * load.failing()) + "%");
		values.put("failureClass", load.failureClass().label());
		values.put("reason", load.reason());
		values.put("handlerTime", load.handlerTime().toString());
		values.put("failingTime", load.failingTime().toString());
		if (load.concurrency() != null) {
			values.put("concurrency", load.concurrency().toString());
		}
		if (load.duration() != null) {
			values.put("duration", load.duration().toString());
		}
		if (hours) {
			values.put("start", load.start().toString());
		}
		values.put("seed", Long.toString(load.seed()));
		return values;
	}

	private static String number(double value) {
		return (value == Math.rint(value)) ? Long.toString((long) value) : Double.toString(value);
	}

	private static @Nullable String text(@Nullable Duration duration) {
		return (duration != null) ? Duration.ofMillis(duration.toMillis()).toString() : null;
	}

	/** A largest value. */
	record Peak(long value, String at) {

		static Peak of(Simulation.Peak peak) {
			return new Peak(peak.value(), String.valueOf(text(peak.at())));
		}

	}

}
