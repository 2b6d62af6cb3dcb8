/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.multiconnection;

import java.util.Objects;

import io.github.rabbitretry.internal.configuration.ConfigurationWarning;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Warns of policies whose parking lots are where the ledger and replays don't look, which
 * use the primary connection factory only.
 */
public final class OtherBrokersWarning implements SmartInitializingSingleton {

	private final PolicyConnections connections;

	private final @Nullable ConnectionFactory primary;

	/**
	 * Creates the warning.
	 * @param connections which connection factory leads where
	 * @param primary the primary connection factory, if there is one
	 */
	public OtherBrokersWarning(PolicyConnections connections, @Nullable ConnectionFactory primary) {
		this.connections = connections;
		this.primary = primary;
	}

	@Override
	public void afterSingletonsInstantiated() {
		ConnectionFactory reached = this.primary;
		if (reached == null) {
			// there is neither a ledger nor a window then
			return;
		}
		this.connections.groups().forEach((factory, policies) -> {
			if (!leadsToSame(factory, reached)) {
				policies.all().forEach(OtherBrokersWarning::warn);
			}
		});
	}

	private static boolean leadsToSame(ConnectionFactory factory, ConnectionFactory other) {
		return factory == other
				|| Objects.equals(factory.getHost(), other.getHost()) && factory.getPort() == other.getPort()
						&& Objects.equals(factory.getVirtualHost(), other.getVirtualHost());
	}

	private static void warn(MessagePolicy policy) {
		ConfigurationWarning.log("rabbit-retry.message-policies.%s".formatted(policy.messageType()), policy.queue(),
				"is listened to at another broker or virtual host than the primary connection factory leads to: what is parked of it stays in '%s' there, and the ledger, replays, the window and depths don't reach it"
					.formatted(policy.topology().parkingLot()),
				"Run its listener in an application whose primary connection factory leads there, if its parked messages are to be searched and replayed.");
	}

}
