/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.replay;

/**
 * What is to be replayed, how, by whom and why.
 *
 * @param selection which messages
 * @param options how
 * @param act who and why
 */
public record ReplayRequest(Selection selection, ReplayOptions options, Act act) {
}
