/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.broker;

import io.github.rabbitretry.provision.Chooser;

/**
 * No broker could be had: the message lists each way and why it was passed over.
 */
public class NoBrokerException extends IllegalStateException {

	private static final String REMEDY = "Start Docker, or install RabbitMQ 4.0 or later, "
			+ "or name a running broker: RABBIT_RETRY_BROKER_URL=amqp://user:password@host:port/vhost";

	private static final String CLUSTER_REMEDY = "A cluster needs private nodes: install RabbitMQ 4.0 or later, "
			+ "or use a machine with Debian's apt, or leave out -Pproof";

	NoBrokerException(String message) {
		super(message);
	}

	NoBrokerException(String message, Throwable cause) {
		super(message, cause);
	}

	static NoBrokerException of(Chooser chooser) {
		return new NoBrokerException(chooser.message("No RabbitMQ to be had", REMEDY));
	}

	static NoBrokerException ofCluster(Chooser chooser) {
		return new NoBrokerException(chooser.message("No cluster of RabbitMQ nodes to be had", CLUSTER_REMEDY));
	}

}
