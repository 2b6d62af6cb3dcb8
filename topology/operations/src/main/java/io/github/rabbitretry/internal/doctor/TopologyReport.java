/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.doctor;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * What was found out in one look at a virtual host.
 *
 * @param virtualHost its name
 * @param broker the broker's version, or {@code null} if it is not known
 * @param examinedBy the source of the information
 * @param at when
 * @param messageTypes the topology of each message type
 * @param shared the queues that message types share
 * @param findings what is not as it should be, errors first
 * @param unexamined what could not be examined, and why
 */
public record TopologyReport(String virtualHost, @Nullable String broker, String examinedBy, String at,
		List<TypeReport> messageTypes, List<QueueReport> shared, List<Finding> findings, List<String> unexamined) {

	/**
	 * Leaves all but one message type out, and no finding.
	 * @param messageType the message type
	 * @return the rest
	 */
	public TopologyReport only(String messageType) {
		return new TopologyReport(this.virtualHost, this.broker, this.examinedBy, this.at,
				this.messageTypes.stream().filter((type) -> type.messageType().equals(messageType)).toList(),
				this.shared, this.findings, this.unexamined);
	}

	/**
	 * The topology of a message type.
	 *
	 * @param messageType the message type
	 * @param owner who is responsible for it
	 * @param queue the work queue
	 * @param ring whether its messages wait in queues of its own
	 * @param queues its queues
	 * @param exchanges its exchanges, with their types
	 * @param bindings its bindings, in words
	 * @param diagram a picture as Mermaid text
	 */
	public record TypeReport(String messageType, String owner, String queue, String ring, List<QueueReport> queues,
			Map<String, String> exchanges, List<String> bindings, String diagram) {
	}

	/**
	 * A queue as it should be, and what is known of it.
	 *
	 * @param name its name
	 * @param role what it is for
	 * @param type the type that it is declared with, or that of an existing queue
	 * @param existing whether another application declares it
	 * @param arguments the arguments of its declaration
	 * @param present whether it is there, or {@code null} if that is not known
	 * @param messages how many messages are in it, or {@code null} if that is not known
	 * @param ready those that can be delivered
	 * @param unacknowledged those that are delivered
	 * @param consumers how many consumers it has
	 * @param state its state as the broker calls it
	 */
	public record QueueReport(String name, String role, String type, boolean existing, Map<String, Object> arguments,
			@Nullable Boolean present, @Nullable Long messages, @Nullable Long ready, @Nullable Long unacknowledged,
			@Nullable Integer consumers, @Nullable String state) {
	}

}
