/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.broker;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class NodeEnvironmentTests {

	@Test
	void inheritsNothingOfABrokerThatTheMachineHas() {
		Map<String, String> environment = new HashMap<>(Map.of("RABBITMQ_LOGS", "-", "ERL_FLAGS", "-x", "HOME", "/mine",
				"NOTIFY_SOCKET", "/run/s", "TERM", "dumb"));
		Installation installation = new Installation(Path.of("/s/rabbitmq-server"), "4.0.5", "of a test",
				Map.of("PATH", "/erlang"));
		new NodeEnvironment(installation, Path.of("/node"), "rr-1@localhost", new Ports(1, 2, 3, 4, 5))
			.applyTo(environment);
		assertThat(environment).doesNotContainKeys("RABBITMQ_LOGS", "ERL_FLAGS", "NOTIFY_SOCKET")
			.containsEntry("HOME", "/node/home")
			.containsEntry("PATH", "/erlang")
			.containsEntry("RABBITMQ_NODENAME", "rr-1@localhost")
			.containsEntry("RABBITMQ_NODE_PORT", "1")
			.containsEntry("ERL_EPMD_PORT", "5")
			.containsEntry("TERM", "dumb");
	}

}
