/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.failure;

import java.util.function.UnaryOperator;

import io.github.rabbitretry.internal.message.ReceivedMessage;

/**
 * How the texts of exceptions are written to logs and to the headers of parked messages.
 */
public enum ExceptionTexts {

	/** What a text quotes of the message's body is replaced. */
	MASKED {

		@Override
		public UnaryOperator<String> of(ReceivedMessage received) {
			return new PayloadMask(received);
		}

	},

	/** As the exception says it, whatever it quotes. */
	PLAIN {

		@Override
		public UnaryOperator<String> of(ReceivedMessage received) {
			return UnaryOperator.identity();
		}

	};

	/**
	 * What is done to the texts of a failure.
	 * @param received the message that could not be handled
	 * @return makes a text fit to be shown to people who may not see the body
	 */
	public abstract UnaryOperator<String> of(ReceivedMessage received);

}
