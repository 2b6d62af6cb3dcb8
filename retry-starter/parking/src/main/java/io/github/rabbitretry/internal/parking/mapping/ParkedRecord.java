/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.mapping;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.UUID;

import io.github.rabbitretry.internal.message.Sha256;
import io.github.rabbitretry.parking.message.ParkedState;
import io.github.rabbitretry.parking.message.ParkedSummary;
import org.jspecify.annotations.Nullable;

/**
 * A parked message as it goes into the database.
 *
 * @param key equal for deliveries of the same parking
 * @param identified whether the key belongs to this one parking, since the message says
 * when it was parked; a message put there by hand may have twins
 * @param kind what it has in common with others
 * @param messageId its id
 * @param correlationId what it belongs to
 * @param causationId what caused it
 * @param aggregateId the business entity that it affects
 * @param schemaVersion the version of its schema
 * @param producer who sent it
 * @param replayId the replay that it came back from
 * @param replayItem which message of that replay it is
 * @param attempts broker attempts made
 * @param firstSeenAt when it failed first
 * @param lastFailedAt when it failed last
 * @param parkedAt when it was parked
 * @param payloadHash the hash of its body, in hexadecimal
 * @param exceptionMessage the exception's text
 * @param properties properties and headers, see {@link AmqpPropertiesCodec}
 * @param body what is stored of the body
 */
public record ParkedRecord(byte[] key, boolean identified, FailureDimension kind, @Nullable String messageId,
		@Nullable String correlationId, @Nullable String causationId, @Nullable String aggregateId,
		@Nullable String schemaVersion, @Nullable String producer, @Nullable String replayId, @Nullable Long replayItem,
		int attempts, Instant firstSeenAt, Instant lastFailedAt, Instant parkedAt, String payloadHash,
		@Nullable String exceptionMessage, byte[] properties, byte @Nullable [] body) {

	/**
	 * The same without any text of the message's own, for the case that a text can't be
	 * stored.
	 * @return a row in which nothing but the body and the properties is the message's
	 */
	public ParkedRecord bare() {
		return new ParkedRecord(this.key, this.identified, ParkedRecordMapper.unreadable(this.kind), null, null, null,
				null, null, null, null, null, 0, this.parkedAt, this.parkedAt, this.parkedAt, this.payloadHash, null,
				this.properties, this.body);
	}

	/**
	 * The row of one delivery. A message that nothing identifies is a row of its own,
	 * even if an equal one is stored: it may be that one delivered again, or its twin,
	 * which must not be lost.
	 * @return the row, with a key that no other delivery has if nothing identifies it
	 */
	public ParkedRecord ofItsOwn() {
		if (this.identified) {
			return this;
		}
		UUID random = UUID.randomUUID();
		byte[] other = Sha256.digest()
			.digest(ByteBuffer.allocate(this.key.length + 2 * Long.BYTES)
				.put(this.key)
				.putLong(random.getMostSignificantBits())
				.putLong(random.getLeastSignificantBits())
				.array());
		return new ParkedRecord(other, this.identified, this.kind, this.messageId, this.correlationId, this.causationId,
				this.aggregateId, this.schemaVersion, this.producer, this.replayId, this.replayItem, this.attempts,
				this.firstSeenAt, this.lastFailedAt, this.parkedAt, this.payloadHash, this.exceptionMessage,
				this.properties, this.body);
	}

	/**
	 * The message of this row.
	 * @param id its id
	 * @return the summary of a message that is parked
	 */
	public ParkedSummary summary(long id) {
		return new ParkedSummary(id, ParkedState.PARKED, this.kind.queue(), this.kind.messageType(), this.kind.owner(),
				this.kind.reason(), this.kind.failureReason(), this.kind.failureClass(), this.kind.fingerprint(),
				this.kind.exception(), this.exceptionMessage, this.kind.handlerVersion(), this.kind.consumer(),
				this.messageId, this.correlationId, this.causationId, this.aggregateId, this.schemaVersion,
				this.producer, this.attempts, this.firstSeenAt, this.lastFailedAt, this.parkedAt, this.replayId,
				this.kind.payload(), this.payloadHash, this.kind.cause(), null);
	}

}
