/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.mapping;

import io.github.rabbitretry.parking.message.FailureCause;
import io.github.rabbitretry.parking.message.PayloadState;
import org.jspecify.annotations.Nullable;

/**
 * What many parked messages have in common. An outage parks a million messages of a few
 * kinds: searching and grouping look at the kinds first.
 *
 * @param queue the work queue
 * @param messageType the message type
 * @param owner who answers for it
 * @param reason why it was parked
 * @param failureReason why it failed last, where that is another reason
 * @param failureClass the kind of failure, as headers spell it
 * @param fingerprint equal for failures that look alike
 * @param exception the exception's class and its causes'
 * @param handlerVersion which code handled it
 * @param consumer which application handled it
 * @param payload how much of the bodies the ledger holds
 * @param cause why the messages failed last
 */
public record FailureDimension(String queue, String messageType, String owner, String reason,
		@Nullable String failureReason, String failureClass, String fingerprint, @Nullable String exception,
		@Nullable String handlerVersion, @Nullable String consumer, PayloadState payload, FailureCause cause) {

	/**
	 * What identifies the kind in the database, where all its texts together would be too
	 * long for an index.
	 * @return 32 bytes
	 */
	public byte[] key() {
		return Hashes.of(this.queue, this.messageType, this.owner, this.reason, this.failureReason, this.failureClass,
				this.fingerprint, this.exception, this.handlerVersion, this.consumer, this.payload.name(),
				this.cause.id());
	}

}
