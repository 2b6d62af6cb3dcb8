/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.classify;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.listener.ListenerExecutionFailedException;

/**
 * A failure that did not happen, wrapped as Spring AMQP wraps what listeners throw, so
 * that it is classified as one that did. It may have a status or an SQLState that its
 * exception does not have.
 */
public final class HypotheticalFailure extends ListenerExecutionFailedException {

	private static final long serialVersionUID = 1L;

	private final transient List<Throwable> details = new ArrayList<>();

	/**
	 * Makes up a failure.
	 * @param exception what the listener threw
	 * @param properties the properties of the message
	 */
	public HypotheticalFailure(Throwable exception, MessageProperties properties) {
		super("A failure that did not happen", exception, new Message(new byte[0], properties));
	}

	/**
	 * This failure, with causes that its exception does not have itself.
	 * @param httpStatus an HTTP status, or {@code null} for none
	 * @param sqlState an SQLState, or {@code null} for none
	 * @return this failure
	 */
	public HypotheticalFailure with(@Nullable Integer httpStatus, @Nullable String sqlState) {
		if (httpStatus != null) {
			this.details.add(new Status(httpStatus));
		}
		if (sqlState != null) {
			this.details.add(new State(sqlState));
		}
		return this;
	}

	/** A failure's causes, and at their end what was made up. */
	static List<Throwable> chain(Throwable failure) {
		List<Throwable> chain = CauseChain.of(failure);
		if (failure instanceof HypotheticalFailure hypothetical) {
			chain.addAll(hypothetical.details);
		}
		return chain;
	}

	/** An HTTP status that some client's exception would have. */
	public static final class Status extends Exception {

		private static final long serialVersionUID = 1L;

		private final int status;

		Status(int status) {
			super(null, null, false, false);
			this.status = status;
		}

		public int getStatusCode() {
			return this.status;
		}

	}

	/** An SQLState that some driver's exception would have. */
	public static final class State extends Exception {

		private static final long serialVersionUID = 1L;

		private final String state;

		State(String state) {
			super(null, null, false, false);
			this.state = state;
		}

		public String getSQLState() {
			return this.state;
		}

	}

}
