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

import io.github.rabbitretry.parking.replay.OperatorAction;
import io.github.rabbitretry.parking.replay.ReplayJob;
import io.github.rabbitretry.parking.replay.ReplayOptions;
import org.jspecify.annotations.Nullable;

/**
 * A job as it is stored.
 *
 * @param id its number
 * @param replayId its id
 * @param application whose it is
 * @param state where it stands
 * @param why why it was paused or ended
 * @param detail more of that
 * @param selection what it is of, in words
 * @param options how it goes about it
 * @param act who and why
 * @param edited whether it replays an edited message
 * @param cutOff what is parked later is not in it
 * @param startedAt when it was begun
 * @param endedAt when it ended
 * @param canaryWaitsSince since when the whole canary is published
 * @param stalled why it publishes less than it should for now
 * @param stalledSince since when
 * @param worker which instance has the lease
 */
record StoredJob(long id, String replayId, String application, ReplayJob.State state,
		ReplayJob.@Nullable StopReason why, @Nullable String detail, String selection, ReplayOptions options,
		OperatorAction act, boolean edited, Instant cutOff, Instant startedAt, @Nullable Instant endedAt,
		@Nullable Instant canaryWaitsSince, @Nullable String stalled, @Nullable Instant stalledSince,
		@Nullable String worker) {

	/** The day, and the number in the database, so that an outcome finds its row. */
	private static final Pattern REPLAY_ID = Pattern.compile("replay-\\d{8}-([1-9]\\d{0,17})");

	private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("yyyyMMdd").withZone(ZoneOffset.UTC);

	static String replayId(long number, Instant startedAt) {
		return "replay-%s-%s".formatted(DAY.format(startedAt), number);
	}

	/** The number of a replay, or empty if that is no id of one. */
	static OptionalLong number(String replayId) {
		Matcher matcher = REPLAY_ID.matcher(replayId);
		return matcher.matches() ? OptionalLong.of(Long.parseLong(matcher.group(1))) : OptionalLong.empty();
	}

	/** Whether its messages stay parked. */
	boolean forInspection() {
		return this.options.target() != null && !this.options.move();
	}

	ReplayJob view(ReplayJob.Counts counts) {
		return new ReplayJob(this.replayId, this.application, this.state, this.why, this.detail, this.selection,
				this.options, this.act, this.edited, this.cutOff, this.startedAt, this.endedAt, this.stalled,
				this.stalledSince, this.worker, counts);
	}

}
