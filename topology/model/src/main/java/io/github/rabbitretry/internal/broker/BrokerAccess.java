/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.broker;

import java.util.List;
import java.util.Map;

import io.github.rabbitretry.internal.management.ManagementSettings;
import io.github.rabbitretry.internal.topology.TopologyParts;
import org.jspecify.annotations.Nullable;

/**
 * How an application reaches its broker, for tools that examine it.
 */
public interface BrokerAccess {

	/**
	 * The virtual host of the application's connection.
	 * @return its name
	 */
	String virtualHost();

	/**
	 * The user of the application's connection.
	 * @return the user's name, or {@code null} if it is not known
	 */
	@Nullable String username();

	/**
	 * Finds the management API.
	 * @return its address and credentials
	 * @throws io.github.rabbitretry.internal.management.ManagementUnavailableException if
	 * they are not known
	 * @throws org.springframework.amqp.AmqpException if the broker can't be reached
	 */
	ManagementSettings management();

	/**
	 * Compares the broker with a topology over AMQP and counts messages.
	 * @param parts what must be there
	 * @return what is missing or different, and the depths
	 * @throws org.springframework.amqp.AmqpException if the broker can't be reached
	 */
	Answer verify(TopologyParts parts);

	/**
	 * What AMQP reports.
	 *
	 * @param problems what is missing or different
	 * @param depths messages and consumers by queue, for those that may be asked about
	 */
	record Answer(List<TopologyProblem> problems, Map<String, QueueDepth> depths) {

		public Answer {
			problems = List.copyOf(problems);
			depths = Map.copyOf(depths);
		}

	}

	/**
	 * The depth of a queue, from a passive declaration.
	 *
	 * @param ready how many messages can be delivered
	 * @param consumers how many consumers there are
	 */
	record QueueDepth(long ready, int consumers) {

	}

}
