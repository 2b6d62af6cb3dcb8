/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.broker;

import java.nio.file.Path;
import java.util.Map;

/**
 * The environment of a node and of the tools that talk to it. Nothing of RabbitMQ's or
 * Erlang's own variables is inherited: a machine may have a broker set up.
 */
record NodeEnvironment(Installation installation, Path folder, String nodeName, Ports ports) {

	void applyTo(Map<String, String> environment) {
		environment.keySet()
			.removeIf(
					(name) -> name.startsWith("RABBITMQ_") || name.startsWith("ERL_") || name.equals("NOTIFY_SOCKET"));
		environment.put("HOME", at("home"));
		environment.put("LC_ALL", "C.UTF-8");
		environment.put("RABBITMQ_NODENAME", this.nodeName);
		environment.put("RABBITMQ_NODE_IP_ADDRESS", "127.0.0.1");
		environment.put("RABBITMQ_NODE_PORT", String.valueOf(this.ports.amqp()));
		environment.put("RABBITMQ_DIST_PORT", String.valueOf(this.ports.distribution()));
		environment.put("RABBITMQ_MNESIA_BASE", at("data"));
		environment.put("RABBITMQ_LOG_BASE", at("log"));
		environment.put("RABBITMQ_PID_FILE", at("pid"));
		environment.put("RABBITMQ_CONFIG_FILE", at("rabbitmq"));
		environment.put("RABBITMQ_ENABLED_PLUGINS_FILE", at("enabled_plugins"));
		environment.put("RABBITMQ_GENERATED_CONFIG_DIR", at("schema"));
		// files that are not there: those of the machine are not read
		environment.put("RABBITMQ_CONF_ENV_FILE", at("none.conf"));
		environment.put("RABBITMQ_ADVANCED_CONFIG_FILE", at("none.config"));
		environment.put("RABBITMQ_CONFIG_FILES", at("none"));
		environment.put("ERL_EPMD_ADDRESS", "127.0.0.1");
		environment.put("ERL_EPMD_PORT", String.valueOf(this.ports.epmd()));
		// for the node, rabbitmqctl and every other Erlang that they start
		environment.put("ERL_ZFLAGS", "-kernel inet_dist_use_interface {127,0,0,1}");
		// makes the start script become the Erlang VM instead of waiting for it
		environment.put("RUNNING_UNDER_SYSTEMD", "true");
		environment.putAll(this.installation.environment());
	}

	private String at(String name) {
		return this.folder.resolve(name).toString();
	}

}
