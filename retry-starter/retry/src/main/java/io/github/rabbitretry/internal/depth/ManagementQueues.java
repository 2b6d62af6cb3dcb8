/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.depth;

import java.io.IOException;
import java.util.Collection;
import java.util.Map;

import io.github.rabbitretry.internal.brokerpolicy.ManagementApi;
import io.github.rabbitretry.internal.management.ManagementAccess;
import io.github.rabbitretry.internal.management.ManagementLocator;
import io.github.rabbitretry.internal.management.ManagementUnavailableException;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;

/**
 * Asks the management API how many messages queues have, for users who may not ask the
 * broker itself: that needs the tag {@code management} and access to the virtual host.
 */
public final class ManagementQueues {

	private final ManagementLocator locator;

	/**
	 * Creates the questions.
	 * @param connectionFactory leads to the broker
	 * @param access what is configured about the management API
	 */
	public ManagementQueues(ConnectionFactory connectionFactory, ManagementAccess access) {
		this.locator = new ManagementLocator(connectionFactory, access);
	}

	/**
	 * Counts what is ready.
	 * @param queues names of queues
	 * @return how many messages by queue, for those that are there; some seconds old
	 * @throws IOException if that can't be found out
	 * @throws org.springframework.amqp.AmqpException if the broker can't be reached
	 */
	public Map<String, Long> ready(Collection<String> queues) throws IOException {
		try {
			return new ManagementApi(this.locator.locate()).ready(queues);
		}
		catch (ManagementUnavailableException ex) {
			throw new IOException(ex.getMessage(), ex);
		}
	}

}
