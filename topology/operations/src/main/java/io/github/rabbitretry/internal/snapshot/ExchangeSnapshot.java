/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.snapshot;

import java.util.Map;

import io.github.rabbitretry.internal.brokerpolicy.BrokerPolicies;
import org.jspecify.annotations.Nullable;

/**
 * An exchange as the broker has it.
 *
 * @param name its name
 * @param type its type
 * @param durable whether it survives a restart
 * @param autoDelete whether the broker deletes it with its last binding
 * @param internal whether clients cannot publish to it
 * @param arguments the arguments of its declaration
 */
public record ExchangeSnapshot(String name, String type, boolean durable, boolean autoDelete, boolean internal,
		Map<String, @Nullable Object> arguments) {

	/** The argument, or else a policy's. */
	public @Nullable String alternate(BrokerPolicies policies) {
		Object argument = this.arguments.get("alternate-exchange");
		Object alternate = (argument != null) ? argument : policies.ofExchange(this.name, "alternate-exchange");
		return (alternate != null) ? alternate.toString() : null;
	}

}
