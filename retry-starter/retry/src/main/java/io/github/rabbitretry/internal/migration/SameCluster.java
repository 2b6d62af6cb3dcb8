/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.migration;

import java.util.Map;

import com.rabbitmq.client.Connection;
import io.github.rabbitretry.internal.management.ManagementClient;
import io.github.rabbitretry.internal.management.ManagementUnavailableException;

/**
 * Sees to it that queues are looked at where they are changed.
 */
final class SameCluster {

	private SameCluster() {
	}

	/**
	 * Compares the names of clusters.
	 * @param connection to the broker that is changed
	 * @param client asks the broker that is looked at
	 * @throws ManagementUnavailableException if they differ
	 */
	static void verify(Connection connection, ManagementClient client) {
		String changed = String.valueOf(connection.getServerProperties().get("cluster_name"));
		String seen = (client.read("/api/cluster-name") instanceof Map<?, ?> answer)
				? String.valueOf(answer.get("name")) : "";
		if (!changed.equals(seen)) {
			throw new ManagementUnavailableException(
					"%s belongs to cluster '%s', and the connection leads to cluster '%s'".formatted(client.url(), seen,
							changed));
		}
	}

}
