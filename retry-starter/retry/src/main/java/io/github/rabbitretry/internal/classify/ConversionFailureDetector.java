/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.classify;

import java.util.Optional;
import java.util.Set;

import io.github.rabbitretry.classify.FailureClassification;

/**
 * Recognises by their stack trace failures that Spring AMQP 4.1 gives no type of their
 * own.
 */
final class ConversionFailureDetector {

	private static final String ADAPTERS = "org.springframework.amqp.rabbit.listener.adapter.";

	/**
	 * A converter may throw anything; an untrusted type id, say, is an
	 * {@code IllegalArgumentException}. What is thrown beneath these is thrown before the
	 * handler is called. A frame names the class that declares the method, whatever
	 * subclass the adapter is.
	 */
	private static final Set<String> CONVERSION = Set.of(
			ADAPTERS + "MessagingMessageListenerAdapter#toMessagingMessage",
			ADAPTERS + "BatchMessagingMessageListenerAdapter#toMessagingMessage",
			ADAPTERS + "AbstractAdaptableMessageListener#extractMessage");

	private static final String DISPATCH = ".listener.adapter.DelegatingInvocableHandler";

	private ConversionFailureDetector() {
	}

	static boolean conversion(Throwable failure) {
		for (StackTraceElement frame : TopFrames.trace(failure)) {
			if (CONVERSION.contains(frame.getClassName() + "#" + frame.getMethodName())) {
				return true;
			}
		}
		return false;
	}

	/**
	 * No {@code @RabbitHandler} method of the listener takes the payload.
	 */
	static Optional<FailureClassification> dispatch(Throwable failure) {
		StackTraceElement[] frames = TopFrames.trace(failure);
		boolean found = frames.length > 0 && frames[0].getClassName().endsWith(DISPATCH)
				&& frames[0].getMethodName().equals("getHandlerForPayload");
		return found ? Optional.of(Classifications.UNKNOWN_TYPE) : Optional.empty();
	}

}
