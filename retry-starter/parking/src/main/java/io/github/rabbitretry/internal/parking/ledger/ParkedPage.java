/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ledger;

import java.util.List;

import io.github.rabbitretry.parking.message.ParkedSummary;
import org.jspecify.annotations.Nullable;

/**
 * Some of the messages that a search found.
 *
 * @param messages the messages, last parked first
 * @param next where the next page begins, or {@code null} if there is none
 */
public record ParkedPage(List<ParkedSummary> messages, @Nullable PageKey next) {

	public ParkedPage {
		messages = List.copyOf(messages);
	}

}
