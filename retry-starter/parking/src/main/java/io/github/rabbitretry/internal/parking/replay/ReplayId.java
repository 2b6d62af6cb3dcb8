/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The ids of replays, {@code replay-20260701-17}: the day, and the number in the
 * database, so that an outcome finds its row without looking the replay up.
 */
final class ReplayId {

	private static final Pattern FORM = Pattern.compile("replay-\\d{8}-([1-9]\\d{0,17})");

	private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("yyyyMMdd").withZone(ZoneOffset.UTC);

	private ReplayId() {
	}

	static String of(long number, Instant startedAt) {
		return "replay-%s-%d".formatted(DAY.format(startedAt), number);
	}

	static OptionalLong number(String replayId) {
		Matcher matcher = FORM.matcher(replayId);
		return matcher.matches() ? OptionalLong.of(Long.parseLong(matcher.group(1))) : OptionalLong.empty();
	}

}
