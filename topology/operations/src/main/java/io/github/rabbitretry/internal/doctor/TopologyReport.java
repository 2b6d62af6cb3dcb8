/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.doctor;

import java.util.List;

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

}
