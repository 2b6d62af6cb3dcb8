/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.snapshot;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.github.rabbitretry.internal.management.JsonRows;
import io.github.rabbitretry.internal.management.ManagementClient;
import io.github.rabbitretry.internal.management.ManagementUnavailableException;
import io.github.rabbitretry.internal.snapshot.BrokerSnapshot.ConnectionSnapshot;
import io.github.rabbitretry.internal.snapshot.BrokerSnapshot.ConsumerSnapshot;
import io.github.rabbitretry.internal.snapshot.BrokerSnapshot.UserSnapshot;
import org.jspecify.annotations.Nullable;

/**
 * Reads what users with few permissions are not shown: who is connected and consumes, the
 * application's user, and what limits the broker.
 *
 * @param client reads
 * @param expected what message policies expect
 */
record ServerReader(ManagementClient client, ExpectedTopology expected) {

	String version() {
		return JsonRows.ofObject(this.client.read("/api/overview?columns=rabbitmq_version")).text("rabbitmq_version");
	}

	/** To others the API shows their own connections only, and the consumers of these. */
	private void requireMonitoring() {
		JsonRows me = JsonRows.ofObject(this.client.read("/api/whoami"));
		List<String> tags = me.texts("tags");
		if (!tags.contains("monitoring") && !tags.contains("administrator")) {
			throw new ManagementUnavailableException(
					"user '%s' sees its own only, and needs the tag monitoring to see those of others"
						.formatted(me.text("name")));
		}
	}

	List<ConsumerSnapshot> consumers() {
		requireMonitoring();
		return JsonRows
			.of(this.client.list("consumers?columns=queue.name,consumer_tag,exclusive,channel_details.connection_name"))
			.stream()
			.map((row) -> new ConsumerSnapshot(row.object("queue").text("name"), row.text("consumer_tag"),
					row.is("exclusive"), row.object("channel_details").text("connection_name")))
			.toList();
	}

	Map<String, ConnectionSnapshot> connections() {
		requireMonitoring();
		String host = "/api/vhosts/" + ManagementClient.encoded(this.client.virtualHost());
		Map<String, Long> published = new HashMap<>();
		JsonRows.of(this.client.read(host + "/channels?columns=connection_details.name,message_stats.publish"))
			.forEach((row) -> published.merge(row.object("connection_details").text("name"),
					row.object("message_stats").number("publish"), Long::sum));
		Map<String, ConnectionSnapshot> connections = new LinkedHashMap<>();
		JsonRows.of(this.client.read(host + "/connections?columns=name,user_provided_name,user,state"))
			.forEach((row) -> {
				String name = row.text("name");
				connections.put(name, new ConnectionSnapshot(name, row.text("user_provided_name"), row.text("user"),
						row.text("state"), published.getOrDefault(name, 0L)));
			});
		return connections;
	}

	@Nullable UserSnapshot user() {
		String name = this.expected.username();
		if (name == null) {
			throw new ManagementUnavailableException("the connection factory does not expose its user");
		}
		String path = "/api/users/" + ManagementClient.encoded(name);
		JsonRows user = JsonRows.ofObject(this.client.read(path));
		Optional<JsonRows> permission = JsonRows.of(this.client.read(path + "/permissions"))
			.stream()
			.filter((row) -> row.text("vhost").equals(this.client.virtualHost()))
			.findFirst();
		return new UserSnapshot(name, user.texts("tags"), permission.map((row) -> row.text("configure")).orElse(null),
				permission.map((row) -> row.text("write")).orElse(null),
				permission.map((row) -> row.text("read")).orElse(null));
	}

	List<String> alarms() {
		try {
			this.client.read("/api/health/checks/alarms");
			return List.of();
		}
		catch (ManagementUnavailableException ex) {
			if (ex.status() != 503) {
				throw ex;
			}
			return List.of("a memory or disk alarm");
		}
	}

}
