/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.brokerpolicy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.rabbitretry.internal.management.NamePattern;
import io.github.rabbitretry.internal.management.Rabbitmqctl;

/**
 * A policy that gives queues what the arguments of their declaration would.
 *
 * @param name its name
 * @param queues the queues that it is for
 * @param applyTo the kind of queues, as the broker calls it
 * @param definition its keys and their values
 */
public record RequiredPolicy(String name, List<String> queues, String applyTo, Map<String, Object> definition) {

	public RequiredPolicy {
		queues = List.copyOf(queues);
	}

	/**
	 * The command that sets it.
	 * @param virtualHost the virtual host
	 * @param priority of several policies that match a queue, the one with the highest is
	 * in effect
	 * @return a line for a shell
	 */
	public String command(String virtualHost, long priority) {
		return Rabbitmqctl.setPolicy(false, virtualHost, priority, this.applyTo, this.name, NamePattern.of(this.queues),
				this.definition);
	}

	/**
	 * The policy as RabbitMQ's definitions have it.
	 * @param virtualHost the virtual host
	 * @param priority of several policies that match a queue, the one with the highest is
	 * in effect
	 * @return what becomes JSON
	 */
	public Map<String, Object> asDefinition(String virtualHost, long priority) {
		Map<String, Object> policy = new LinkedHashMap<>();
		policy.put("vhost", virtualHost);
		policy.put("name", this.name);
		policy.put("pattern", NamePattern.of(this.queues));
		policy.put("apply-to", this.applyTo);
		policy.put("priority", priority);
		policy.put("definition", this.definition);
		return policy;
	}

}
