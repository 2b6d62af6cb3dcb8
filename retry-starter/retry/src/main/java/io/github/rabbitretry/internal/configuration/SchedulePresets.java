/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.configuration;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

import org.springframework.boot.convert.DurationStyle;

/**
 * Schedules that other brokers' users know.
 */
final class SchedulePresets {

	private static final Map<String, List<Duration>> PRESETS = new TreeMap<>(Map.of(
			// Apache RocketMQ's 16 steps, the last one for ever after
			"rocketmq",
			delays("10s", "30s", "1m", "2m", "3m", "4m", "5m", "6m", "7m", "8m", "9m", "10m", "20m", "30m", "1h", "2h"),
			// the delay levels of TDMQ for Apache Pulsar
			"tdmq", delays("1s", "5s", "10s", "30s", "1m", "2m", "3m", "4m", "5m", "6m", "7m", "8m", "9m", "10m", "20m",
					"30m", "1h", "2h")));

	private SchedulePresets() {
	}

	static Optional<List<Duration>> find(String name) {
		return Optional.ofNullable(PRESETS.get(name));
	}

	/**
	 * The attempts that a schedule's users expect.
	 * @param schedule a schedule as configured
	 * @return broker attempts, or empty if the schedule is no preset with a number of its
	 * own
	 */
	static Optional<Integer> attempts(List<String> schedule) {
		return List.of("tdmq").equals(schedule) ? Optional.of(16) : Optional.empty();
	}

	static String names() {
		return String.join(", ", PRESETS.keySet());
	}

	static Optional<Duration> parse(String text) {
		try {
			return Optional.of(DurationStyle.detectAndParse(text.strip()));
		}
		catch (IllegalArgumentException | ArithmeticException ex) {
			return Optional.empty();
		}
	}

	private static List<Duration> delays(String... delays) {
		return Stream.of(delays).map(DurationStyle::detectAndParse).toList();
	}

}
