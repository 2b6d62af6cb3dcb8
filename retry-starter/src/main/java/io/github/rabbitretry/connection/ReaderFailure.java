/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.connection;

import com.rabbitmq.client.MalformedFrameException;
import com.rabbitmq.client.ShutdownSignalException;
import org.jspecify.annotations.Nullable;

/**
 * Tells connections that ended because the client could not read what the broker sent
 * from those that broker, network or application ended.
 */
public final class ReaderFailure {

	private static final int DEPTH = 10;

	private ReaderFailure() {
	}

	/**
	 * Whether the client's reader failed.
	 * @param failure what a use of the connection ended with
	 * @return {@code true} if the same message would end the next connection as well
	 */
	public static boolean is(@Nullable Throwable failure) {
		Throwable cause = failure;
		for (int depth = 0; cause != null && depth < DEPTH; depth++) {
			if (cause instanceof ShutdownSignalException signal) {
				return signal.isHardError() && !signal.isInitiatedByApplication() && signal.getReason() == null
						&& unreadable(signal.getCause());
			}
			cause = cause.getCause();
		}
		return false;
	}

	private static boolean unreadable(@Nullable Throwable cause) {
		return cause instanceof Error || cause instanceof RuntimeException || cause instanceof MalformedFrameException;
	}

}
