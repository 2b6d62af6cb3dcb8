/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.handover;

/**
 * Why a publication did not count.
 */
enum PublicationFailure {

	/** The broker answered with a negative confirm: a queue is full or unavailable. */
	REFUSED("were refused by the broker (a full or unavailable queue)"),

	/** The broker found no queue for it. */
	RETURNED("found no queue (deleted, or its binding is)"),

	/** The broker knows no such exchange. */
	NO_EXCHANGE("found no exchange (deleted, or never declared)"),

	/** No confirm in time. */
	TIMED_OUT("were not confirmed in time"),

	/** The channel or connection closed before the confirm. */
	LOST("were on a channel that closed");

	private final String text;

	PublicationFailure(String text) {
		this.text = text;
	}

	@Override
	public String toString() {
		return this.text;
	}

}
