/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.broker;

import java.util.Map;
import java.util.stream.Collectors;

/**
 * No broker could be had: the message lists each way and why it was passed over.
 */
public class NoBrokerException extends IllegalStateException {

	private static final String REMEDY = "Start Docker, or install RabbitMQ 4.0 or later, "
			+ "or name a running broker: RABBIT_RETRY_BROKER=amqp://user:password@host:port/vhost";

	private static final String CLUSTER_REMEDY = "A cluster needs private nodes: install RabbitMQ 4.0 or later, "
			+ "or use a machine with Debian's apt, or leave out -Pproof";

	NoBrokerException(String message) {
		super(message);
	}

	NoBrokerException(String message, Throwable cause) {
		super(message, cause);
	}

	static NoBrokerException of(Map<String, String> reasons) {
		return of("No RabbitMQ to be had", reasons, REMEDY);
	}

	static NoBrokerException ofCluster(Map<String, String> reasons) {
		return of("No cluster of RabbitMQ nodes to be had", reasons, CLUSTER_REMEDY);
	}

	private static NoBrokerException of(String what, Map<String, String> reasons, String remedy) {
		return new NoBrokerException(reasons.entrySet()
			.stream()
			.map((reason) -> "  " + reason.getKey() + ": " + reason.getValue().strip().replace("\n", "\n    "))
			.collect(Collectors.joining("\n", what + ". Each way was passed over:\n", "\n" + remedy)));
	}

}
