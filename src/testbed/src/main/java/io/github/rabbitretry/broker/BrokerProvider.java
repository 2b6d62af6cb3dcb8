/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.broker;

import java.util.List;

import io.github.rabbitretry.provision.PassedOverException;
import io.github.rabbitretry.provision.Settings;

/**
 * One way to a broker.
 */
interface BrokerProvider {

	/**
	 * The ways after the named broker, in the order in which they are tried.
	 * @return the way that needs least from the machine last
	 */
	static List<BrokerProvider> all() {
		return List.of(new DockerBrokerProvider(), new InstalledBrokerProvider(), new UnpackedBrokerProvider());
	}

	String name();

	Broker start(Settings settings) throws PassedOverException;

	/**
	 * What several private nodes can be started from.
	 * @param settings the settings
	 * @return the installation
	 * @throws PassedOverException if this way starts no private nodes, or has none
	 */
	default Installation installation(Settings settings) throws PassedOverException {
		throw new PassedOverException("starts single brokers only, no cluster");
	}

}
