/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.replay;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A replay as it stands.
 *
 * @param id its id, which replayed messages carry in {@code x-replay-id}
 * @param application whose instances work on it
 * @param state where it stands
 * @param why why it was paused or ended, or {@code null} if it was not or all were
 * published
 * @param detail what more is known of that, or {@code null}
 * @param selection which messages it is of, in words
 * @param options how it goes about it
 * @param act who began it and why
 * @param edited whether it replays one edited message
 * @param cutOff messages parked later are not in it
 * @param startedAt when it was begun
 * @param endedAt when it ended, or {@code null} if it has not
 * @param stalled why it publishes less than it should for now, or nothing, or
 * {@code null} if it goes on
 * @param stalledSince since when, or {@code null} if it goes on
 * @param worker which instance works on it now, or {@code null} if none does
 * @param counts how many messages stand where
 */
public record ReplayJob(String id, String application, JobState state, @Nullable StopReason why,
		@Nullable String detail, String selection, ReplayOptions options, OperatorAction act, boolean edited,
		Instant cutOff, Instant startedAt, @Nullable Instant endedAt, @Nullable String stalled,
		@Nullable Instant stalledSince, @Nullable String worker, ReplayCounts counts) {
}
