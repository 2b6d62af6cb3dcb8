/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.handover;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Method;
import com.rabbitmq.client.ShutdownSignalException;

/**
 * Why a publication did not count.
 */
public enum PublicationFailure {

	/** The broker answered with a negative confirm: a queue is full or unavailable. */
	REFUSED("publisher-nacked", "were refused by the broker (a full or unavailable queue)"),

	/** The broker found no queue for it. */
	RETURNED("publisher-unroutable", "found no queue (deleted, or its binding is)"),

	/** The broker knows no such exchange. */
	NO_EXCHANGE("publisher-no-exchange", "found no exchange (deleted, or never declared)"),

	/** The broker does not allow to publish to the exchange. */
	FORBIDDEN("publisher-refused", "were not allowed (the user has no write permission)"),

	/** The broker closed the channel, as for a message that it does not accept. */
	SUSPECT("message-refused", "were on a channel that the broker closed because it refused one of them"),

	/** No confirm in time. */
	TIMED_OUT("publisher-unconfirmed", "were not confirmed in time"),

	/** The channel or connection closed before the confirm. */
	LOST("publisher-disconnected", "were on a channel that closed"),

	/**
	 * The channel was closed before, or is another copy's alone: the broker does not have
	 * it.
	 */
	UNSENT("publisher-disconnected", "found their channel closed");

	/** An operator or the broker's own stop ends the connection. */
	private static final int CONNECTION_FORCED = 320;

	/** The virtual host is gone, or a limit is reached. */
	private static final int NOT_ALLOWED = 530;

	private final String code;

	private final String text;

	PublicationFailure(String code, String text) {
		this.code = code;
		this.text = text;
	}

	/**
	 * What the end of a channel means for the publications on it.
	 * @param cause the end
	 * @return why they failed
	 */
	static PublicationFailure of(ShutdownSignalException cause) {
		if (cause.isInitiatedByApplication()) {
			return LOST;
		}
		Method reason = cause.getReason();
		if (reason instanceof AMQP.Channel.Close close) {
			return switch (close.getReplyCode()) {
				case AMQP.NOT_FOUND -> NO_EXCHANGE;
				case AMQP.ACCESS_REFUSED -> FORBIDDEN;
				default -> SUSPECT;
			};
		}
		if (reason instanceof AMQP.Connection.Close close) {
			int code = close.getReplyCode();
			return (code == CONNECTION_FORCED || code == NOT_ALLOWED) ? LOST : SUSPECT;
		}
		return LOST;
	}

	/**
	 * Whether the cause is the exchange, so that it holds for all copies to it.
	 * @return {@code true} if it is missing or forbidden
	 */
	boolean ofTheExchange() {
		return this == NO_EXCHANGE || this == FORBIDDEN;
	}

	/**
	 * Whether the broker accepted the publication itself.
	 * @return {@code true} if only no queue took it
	 */
	boolean accepted() {
		return this == RETURNED || this == REFUSED;
	}

	/**
	 * Whether only the channel is to blame, so that another will do.
	 * @return {@code true} if it closed
	 */
	boolean ofTheChannel() {
		return this == LOST || this == UNSENT;
	}

	/**
	 * A short name for health and metrics.
	 * @return lower case with hyphens
	 */
	String code() {
		return this.code;
	}

	@Override
	public String toString() {
		return this.text;
	}

}
