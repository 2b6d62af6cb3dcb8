/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.snapshot;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.github.rabbitretry.internal.brokerpolicy.BrokerPolicies;
import io.github.rabbitretry.internal.brokerpolicy.ManagementApi;
import io.github.rabbitretry.internal.management.JsonRows;
import io.github.rabbitretry.internal.management.ManagementClient;
import io.github.rabbitretry.internal.management.ManagementUnavailableException;
import io.github.rabbitretry.internal.snapshot.BrokerSnapshot.ConnectionSnapshot;
import io.github.rabbitretry.internal.snapshot.BrokerSnapshot.ConsumerSnapshot;
import io.github.rabbitretry.internal.snapshot.BrokerSnapshot.UserSnapshot;
import io.github.rabbitretry.internal.topology.ExchangeDefinition;
import org.jspecify.annotations.Nullable;

/**
 * Reads a virtual host through few lists of the management API, without statistics, which
 * lag behind and are slow where there are thousands of queues. What a user with the tag
 * {@code management} may read is required; anything else is noted if it can't be read.
 */
public final class BrokerSnapshotReader {

	private final ManagementClient client;

	private final ExpectedTopology expected;

	private final ReadBudget reading;

	private final QueueReader queues;

	private boolean allBindings = true;

	public BrokerSnapshotReader(ManagementClient client, ExpectedTopology expected) {
		this.client = client;
		this.expected = expected;
		this.reading = new ReadBudget(client.url());
		this.queues = new QueueReader(client, expected, this.reading);
	}

	/**
	 * Reads.
	 * @return the virtual host
	 * @throws ManagementUnavailableException if not even queues, exchanges, bindings and
	 * policies can be read
	 */
	public BrokerSnapshot read() {
		Map<String, QueueSnapshot> queues = new LinkedHashMap<>();
		this.queues.queues().forEach((queue) -> queues.put(queue.name(), queue));
		Map<String, ExchangeSnapshot> exchanges = new LinkedHashMap<>();
		exchanges().forEach((exchange) -> exchanges.put(exchange.name(), exchange));
		BindingReader.Bindings bindings = bindings(exchanges);
		bindings.unreadable().forEach((unreadable) -> this.reading.leftOut(unreadable.description()));
		this.reading.inTime();
		BrokerPolicies policies = new ManagementApi(this.client).policies();
		ServerReader server = new ServerReader(this.client, this.expected);
		Optional<List<ConsumerSnapshot>> consumers = Optional
			.ofNullable(this.reading.<@Nullable List<ConsumerSnapshot>>optional("consumers", server::consumers, null));
		Map<String, ConnectionSnapshot> connections = this.reading.optional("connections", server::connections,
				Map.of());
		@Nullable UserSnapshot user = this.expected.needsPermissions()
				? this.reading.optional("permissions of the application's user", server::user, null) : null;
		List<String> alarms = this.reading.optional("alarms", server::alarms, List.of());
		String version = this.reading.optional("the broker's version", server::version, "");
		this.queues.lookAgain(queues);
		return new BrokerSnapshot(this.client.virtualHost(), this.client.url(), version, queues,
				Math.max(this.queues.count(), queues.size()), exchanges, bindings.read(), this.allBindings,
				bindings.unreadable(), policies, consumers, connections, user, alarms, this.reading.unexamined());
	}

	private List<ExchangeSnapshot> exchanges() {
		String columns = "?disable_stats=true&columns=name,type,durable,auto_delete,internal,arguments";
		try {
			this.reading.inTime();
			return JsonRows.of(this.client.list("exchanges" + columns))
				.stream()
				.map(BrokerSnapshotReader::exchange)
				.toList();
		}
		catch (ManagementUnavailableException ex) {
			if (ex.status() != 0) {
				throw ex;
			}
			this.reading.leftOut("exchanges that no policy expects: " + ex.getMessage());
		}
		List<ExchangeSnapshot> exchanges = new ArrayList<>();
		for (ExchangeDefinition model : this.expected.parts().exchanges()) {
			this.reading.inTime();
			this.client.find("exchanges", model.name(), columns)
				.ifPresent((answer) -> exchanges.add(exchange(JsonRows.ofObject(answer))));
		}
		return exchanges;
	}

	private static ExchangeSnapshot exchange(JsonRows row) {
		return new ExchangeSnapshot(row.text("name"), row.text("type"), row.is("durable"), row.is("auto_delete"),
				row.is("internal"), row.map("arguments"));
	}

	private BindingReader.Bindings bindings(Map<String, ExchangeSnapshot> exchanges) {
		BindingReader reader = new BindingReader(this.client.virtualHost(), (path) -> {
			this.reading.inTime();
			return this.client.read(path);
		});
		try {
			return reader.all();
		}
		catch (ManagementUnavailableException ex) {
			if (ex.status() != 0) {
				throw ex;
			}
			this.allBindings = false;
			this.reading.leftOut("bindings of exchanges of others: " + ex.getMessage());
		}
		return reader.from(this.expected.exchanges().keySet().stream().filter(exchanges::containsKey).toList());
	}

}
