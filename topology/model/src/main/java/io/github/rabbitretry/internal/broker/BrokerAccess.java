/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.broker;

import java.util.List;
import java.util.Map;

import javax.net.ssl.SSLSocketFactory;

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
	 * What is configured about the broker's management API.
	 * @return the configuration
	 */
	ManagementAccess management();

	/**
	 * How the application proves who it is, and to whom.
	 * @return that, as far as it is known
	 */
	Login login();

	/**
	 * The host of the application's connection, which is opened if need be.
	 * @return its name or address, as it is written in a URL
	 * @throws org.springframework.amqp.AmqpException if the broker can't be reached
	 */
	String host();

	/**
	 * Has something done whenever the application connects, and now if it is connected.
	 * @param action what to do, quickly
	 */
	void onConnection(Runnable action);

	/**
	 * Compares the broker with a topology over AMQP and counts messages.
	 * @param parts what must be there
	 * @return what is missing or different, and the depths
	 * @throws org.springframework.amqp.AmqpException if the broker can't be reached
	 */
	Answer verify(TopologyParts parts);

	/**
	 * How an application proves who it is, and to whom.
	 *
	 * @param password the user's password, or {@code null} if it is not known
	 * @param secure whether by TLS, or {@code null} if it is not known
	 * @param sockets makes the sockets for TLS, or {@code null} if it is not known
	 */
	record Login(@Nullable String password, @Nullable Boolean secure, @Nullable SSLSocketFactory sockets) {

		/** Without the password. */
		@Override
		public String toString() {
			return "TLS: " + this.secure;
		}

	}

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
