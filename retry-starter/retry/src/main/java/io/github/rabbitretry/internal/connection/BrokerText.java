/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.connection;

import java.util.List;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.ShutdownSignalException;
import io.github.rabbitretry.internal.classify.CauseChain;
import io.github.rabbitretry.internal.message.LogText;
import org.jspecify.annotations.Nullable;

/**
 * What the broker said, fit for a line of a log. It stands in the cause of an exception's
 * cause, or in the method by which a channel was closed.
 */
public final class BrokerText {

	private static final int LONGEST = 512;

	private BrokerText() {
	}

	/**
	 * The texts of an exception and of its causes.
	 * @param failure the exception
	 * @return one line
	 */
	public static String of(Throwable failure) {
		StringBuilder text = new StringBuilder();
		List<Throwable> chain = CauseChain.of(failure);
		for (int depth = 0; depth < chain.size(); depth++) {
			Throwable current = chain.get(depth);
			String own = (current instanceof ShutdownSignalException signal) ? reason(signal) : current.getMessage();
			boolean repeatsCause = own == null
					|| (depth + 1 < chain.size() && own.equals(chain.get(depth + 1).toString()));
			if (!repeatsCause && text.indexOf(own) < 0) {
				text.append(text.isEmpty() ? "" : ": ").append(own);
			}
		}
		return LogText.unquoted(text.isEmpty() ? failure.getClass().getName() : text.toString(), LONGEST);
	}

	private static @Nullable String reason(ShutdownSignalException signal) {
		if (signal.getReason() instanceof AMQP.Channel.Close close) {
			return close.getReplyCode() + " " + close.getReplyText();
		}
		if (signal.getReason() instanceof AMQP.Connection.Close close) {
			return close.getReplyCode() + " " + close.getReplyText();
		}
		return signal.getMessage();
	}

}
