/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.actuate;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.internal.actuate.EndpointException;
import io.github.rabbitretry.parking.message.ParkedFilter;
import io.github.rabbitretry.parking.message.ParkedState;
import io.github.rabbitretry.parking.message.PayloadState;
import org.jspecify.annotations.Nullable;

/**
 * The arguments that filter messages, named as the messages' own fields.
 *
 * @param queue the work queue
 * @param messageType the message type
 * @param reason why it was parked or failed last
 * @param failureClass the failure class
 * @param fingerprint the fingerprint of the failure
 * @param owner who answers for the message type
 * @param handlerVersion which code handled it
 * @param correlationId the correlation id
 * @param aggregateId the business entity
 * @param messageId the message id
 * @param replayId the replay that it came back from
 * @param payloadState how much of the body the ledger holds
 * @param parkedFrom the earliest instant
 * @param parkedBefore the instant that all are before
 * @param cause the ids of causes of the failure, separated by commas
 * @param text part of a text of the failure
 * @param schemaVersion the version of the payload's schema
 */
record FilterArguments(@Nullable String queue, @Nullable String messageType, @Nullable String reason,
		@Nullable String failureClass, @Nullable String fingerprint, @Nullable String owner,
		@Nullable String handlerVersion, @Nullable String correlationId, @Nullable String aggregateId,
		@Nullable String messageId, @Nullable String replayId, @Nullable PayloadState payloadState,
		@Nullable Instant parkedFrom, @Nullable Instant parkedBefore, @Nullable CharSequence cause,
		@Nullable String text, @Nullable String schemaVersion, @Nullable String anyId, @Nullable Long auditId) {

	private static final List<String> CLASSES = Arrays.stream(FailureClass.values()).map(FailureClass::label).toList();

	/** The filter of a search: of what is still parked, unless another state is given. */
	ParkedFilter search(@Nullable String state) {
		if (state == null) {
			return filter(ParkedState.PARKED);
		}
		try {
			String name = state.trim().toUpperCase(Locale.ROOT);
			return filter(name.equals("ANY") ? null : ParkedState.valueOf(name));
		}
		catch (IllegalArgumentException ex) {
			throw EndpointException.invalid("'state' must be one of PARKED, REPLAYED, DISCARDED and ANY.");
		}
	}

	ParkedFilter filter(@Nullable ParkedState state) {
		if (this.failureClass != null && !CLASSES.contains(this.failureClass)) {
			throw EndpointException.invalid("'failureClass' is none of %s.".formatted(CLASSES));
		}
		String causes = (this.cause == null || this.cause.isEmpty()) ? null : this.cause.toString();
		try {
			return new ParkedFilter(this.queue, this.messageType, this.reason, this.failureClass, this.fingerprint,
					this.owner, this.handlerVersion, this.correlationId, this.aggregateId, this.messageId,
					this.replayId, state, this.payloadState, this.parkedFrom, this.parkedBefore, causes, this.text,
					this.schemaVersion, this.anyId, this.auditId);
		}
		catch (IllegalArgumentException ex) {
			throw EndpointException.invalid(String.valueOf(ex.getMessage()));
		}
	}

}
