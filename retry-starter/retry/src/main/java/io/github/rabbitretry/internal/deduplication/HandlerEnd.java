/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.deduplication;

import io.github.rabbitretry.classify.ClassifiedFailure;
import io.github.rabbitretry.classify.Instruction;
import io.github.rabbitretry.internal.classify.CauseChain;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.ImmediateAcknowledgeAmqpException;

/**
 * What a handler that throws means for its message. An exception is also the way to say
 * that there is no more to be done, and then what the handler has written is meant to
 * stay.
 */
public enum HandlerEnd {

	/** It is over: the message is acknowledged, and so is a duplicate. */
	DONE,

	/**
	 * It is over once an event is published, after the handler. Until then nothing may
	 * keep the message from being handled again, which publishes the event.
	 */
	REJECTED,

	/** The message is handled again, or parked and perhaps replayed. */
	FAILED;

	/**
	 * What an exception of a handler means. Only what the exception itself says counts: a
	 * handler that throws another one, which a rule discards, has not said that its work
	 * is done.
	 * @param failure what was thrown
	 * @return the same as what becomes of the message
	 */
	public static HandlerEnd of(Throwable failure) {
		if (CauseChain.find(failure, ImmediateAcknowledgeAmqpException.class).isPresent()) {
			return DONE;
		}
		Instruction instruction = instruction(failure);
		return (instruction instanceof Instruction.Discard) ? DONE
				: (instruction instanceof Instruction.Reject) ? REJECTED : FAILED;
	}

	private static @Nullable Instruction instruction(Throwable failure) {
		try {
			return CauseChain.of(failure)
				.stream()
				.filter(ClassifiedFailure.class::isInstance)
				.findFirst()
				.map((cause) -> ((ClassifiedFailure) cause).classification().instruction())
				.orElse(null);
		}
		catch (Throwable ex) {
			// the application's own code; others are asked what the failure is
			return null;
		}
	}

}
