/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.replay;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

import io.github.rabbitretry.parking.message.ParkedFilter;
import io.github.rabbitretry.parking.message.ParkedState;
import org.jspecify.annotations.Nullable;

/**
 * Selects parked messages by a filter, by ids, or by both.
 *
 * @param filter the filter; its state is ignored, since only parked messages are selected
 * @param ids the ids in the ledger, at most {@value #MOST_IDS}; empty for all messages of
 * the filter
 */
public record Selection(ParkedFilter filter, List<Long> ids) {

	/** The maximum number of ids. */
	public static final int MOST_IDS = 1000;

	/**
	 * Validates the filter's texts and the number of ids.
	 * @throws ReplayRefusedException if a text is too long or has control characters, the
	 * filter asks for another state, or there are too many ids
	 */
	public Selection {
		ids = List.copyOf(ids);
		if (ids.size() > MOST_IDS) {
			throw ReplayRefusedException.invalid("ids", "are " + ids.size(), "There may be 1000; use a filter.");
		}
		if (filter.state() != null && filter.state() != ParkedState.PARKED) {
			throw ReplayRefusedException.invalid("filter", "asks for the state " + filter.state(),
					"Only what is still parked can be replayed or discarded.");
		}
		parts(filter).forEach((name, value) -> {
			if (value != null) {
				InputValidation.bounded("filter's " + name, value,
						name.equals("cause") ? InputValidation.LONGEST_CAUSES : InputValidation.LONGEST_FILTER);
			}
		});
	}

	/**
	 * Selects all messages of a filter.
	 * @param filter the filter
	 * @return the selection
	 */
	public static Selection of(ParkedFilter filter) {
		return new Selection(filter, List.of());
	}

	/**
	 * Selects messages by id.
	 * @param ids their ids in the ledger, at least one
	 * @return the selection
	 * @throws ReplayRefusedException if there are no ids
	 */
	public static Selection of(Collection<Long> ids) {
		if (ids.isEmpty()) {
			throw ReplayRefusedException.invalid("ids", "are none", "Name one at least, or use a filter.");
		}
		return new Selection(ParkedFilter.ALL, List.copyOf(ids));
	}

	/**
	 * Returns a description of the selection, for the audit.
	 * @return the description
	 */
	@Override
	public String toString() {
		Map<String, @Nullable String> parts = new LinkedHashMap<>();
		parts.put("ids", this.ids.isEmpty() ? null : this.ids.toString());
		parts.putAll(parts(this.filter));
		parts.values().removeIf(Objects::isNull);
		return parts.isEmpty() ? "all"
				: parts.entrySet()
					.stream()
					.map((part) -> part.getKey() + "=" + part.getValue())
					.collect(Collectors.joining(", "));
	}

	private static Map<String, @Nullable String> parts(ParkedFilter filter) {
		Map<String, @Nullable String> parts = new LinkedHashMap<>();
		parts.put("queue", filter.queue());
		parts.put("messageType", filter.messageType());
		parts.put("reason", filter.reason());
		parts.put("failureClass", filter.failureClass());
		parts.put("fingerprint", filter.fingerprint());
		parts.put("cause", filter.cause());
		parts.put("owner", filter.owner());
		parts.put("handlerVersion", filter.handlerVersion());
		parts.put("schemaVersion", filter.schemaVersion());
		parts.put("correlationId", filter.correlationId());
		parts.put("aggregateId", filter.aggregateId());
		parts.put("messageId", filter.messageId());
		parts.put("replayId", filter.replayId());
		parts.put("payload", Objects.toString(filter.payload(), null));
		parts.put("parkedFrom", Objects.toString(filter.parkedFrom(), null));
		parts.put("parkedBefore", Objects.toString(filter.parkedBefore(), null));
		parts.put("text", filter.text());
		parts.put("anyId", filter.anyId());
		parts.put("auditId", Objects.toString(filter.auditId(), null));
		return parts;
	}

}
