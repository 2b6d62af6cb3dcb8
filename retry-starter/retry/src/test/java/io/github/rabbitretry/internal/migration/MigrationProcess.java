/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.migration;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;

import io.github.rabbitretry.internal.brokerpolicy.BrokerPolicyMode;
import io.github.rabbitretry.internal.handover.ConfirmedPublishers;
import io.github.rabbitretry.internal.handover.HandoverSettings;
import io.github.rabbitretry.internal.management.ManagementAccess;

import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;

/**
 * Applies a migration in a process of its own, to be killed.
 */
final class MigrationProcess {

	private MigrationProcess() {
	}

	/**
	 * Applies.
	 * @param arguments the broker's address, the management API's with user and password,
	 * which change, and in which virtual host
	 */
	public static void main(String[] arguments) {
		CachingConnectionFactory factory = new CachingConnectionFactory(URI.create(arguments[0]));
		TopologyChange change = TopologyChange.valueOf(arguments[4]);
		factory.setVirtualHost(arguments[5]);
		ConfirmedPublishers publishers = new ConfirmedPublishers(
				new HandoverSettings(1000, Duration.ofSeconds(30), Duration.ofSeconds(5)));
		Migration migration = new Migration(factory, new ManagementAccess(arguments[1], arguments[2], arguments[3]),
				publishers, List.of(change.type()), Set.of(), BrokerPolicyMode.FAIL);
		Migration.Applied applied = migration.apply(true, Duration.ofSeconds(60),
				(number, step) -> System.out.println(number + " " + step));
		System.out.println(applied);
		System.exit((applied.stopped() == null && applied.left().steps().isEmpty()) ? 0 : 1);
	}

}
