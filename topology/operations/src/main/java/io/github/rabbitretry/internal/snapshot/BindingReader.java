/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.snapshot;

import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

import io.github.rabbitretry.internal.management.JsonRows;
import io.github.rabbitretry.internal.management.ManagementClient;
import io.github.rabbitretry.internal.management.ManagementUnavailableException;
import io.github.rabbitretry.internal.snapshot.BrokerSnapshot.UnreadableBinding;
import org.jspecify.annotations.Nullable;

/**
 * Reads bindings of a virtual host. RabbitMQ (4.0 to 4.3) answers 500 to each question
 * for a list with a binding whose routing key or name of an argument is no UTF-8. So what
 * can't be read at once is read by exchange, and then by both ends.
 */
final class BindingReader {

	private static final String COLUMNS = "?columns=source,destination,destination_type,routing_key,properties_key,arguments";

	private static final String ENDS = "?columns=source,destination,destination_type";

	private final String virtualHost;

	private final Function<String, @Nullable Object> question;

	/**
	 * Creates it.
	 * @param virtualHost the virtual host
	 * @param question asks for a path, as {@link ManagementClient#read} does
	 */
	BindingReader(String virtualHost, Function<String, @Nullable Object> question) {
		this.virtualHost = ManagementClient.encoded(virtualHost);
		this.question = question;
	}

	/**
	 * Reads all bindings; those of the default exchange only where that costs nothing.
	 * @return what could be read, and what could not
	 * @throws ManagementUnavailableException if not even their ends can be found out
	 */
	Bindings all() {
		String path = "/api/bindings/" + this.virtualHost;
		try {
			return new Bindings(bindings(path), List.of());
		}
		catch (ManagementUnavailableException ex) {
			if (ex.status() != HttpURLConnection.HTTP_INTERNAL_ERROR) {
				throw ex;
			}
		}
		Set<String> exchanges = new LinkedHashSet<>();
		rows(path + ENDS).forEach((row) -> exchanges.add(row.text("source")));
		exchanges.remove("");
		return from(exchanges);
	}

	/**
	 * Reads the bindings of exchanges.
	 * @param exchanges the exchanges
	 * @return what could be read, and what could not
	 * @throws ManagementUnavailableException if not even their ends can be found out
	 */
	Bindings from(Collection<String> exchanges) {
		List<BindingSnapshot> read = new ArrayList<>();
		List<UnreadableBinding> unreadable = new ArrayList<>();
		for (String exchange : exchanges) {
			String path = "/api/exchanges/%s/%s/bindings/source".formatted(this.virtualHost,
					ManagementClient.encoded(exchange));
			try {
				read.addAll(bindings(path));
			}
			catch (ManagementUnavailableException ex) {
				if (ex.status() == HttpURLConnection.HTTP_INTERNAL_ERROR) {
					// only once each, however many bindings have the same ends
					new LinkedHashSet<>(rows(path + ENDS)).forEach((ends) -> between(ends, read, unreadable));
				}
				else if (ex.status() != HttpURLConnection.HTTP_NOT_FOUND) {
					throw ex;
				}
			}
		}
		return new Bindings(read, unreadable);
	}

	private void between(JsonRows ends, List<BindingSnapshot> read, List<UnreadableBinding> unreadable) {
		String source = ends.text("source");
		String destination = ends.text("destination");
		boolean toQueue = ends.text("destination_type").equals("queue");
		try {
			read.addAll(bindings("/api/bindings/%s/e/%s/%s/%s".formatted(this.virtualHost,
					ManagementClient.encoded(source), toQueue ? "q" : "e", ManagementClient.encoded(destination))));
		}
		catch (ManagementUnavailableException ex) {
			if (ex.status() == HttpURLConnection.HTTP_INTERNAL_ERROR) {
				unreadable.add(new UnreadableBinding(source, destination, toQueue, String.valueOf(ex.getMessage())));
			}
			else if (ex.status() != HttpURLConnection.HTTP_NOT_FOUND) {
				throw ex;
			}
		}
	}

	private List<JsonRows> rows(String path) {
		return JsonRows.of(this.question.apply(path));
	}

	private List<BindingSnapshot> bindings(String path) {
		return rows(path + COLUMNS).stream()
			.map((row) -> new BindingSnapshot(row.text("source"), row.text("destination"),
					row.text("destination_type").equals("queue"), row.text("routing_key"), row.text("properties_key"),
					row.map("arguments")))
			.toList();
	}

	/**
	 * What was found out.
	 *
	 * @param read the bindings that the management API describes
	 * @param unreadable those it could not describe
	 */
	record Bindings(List<BindingSnapshot> read, List<UnreadableBinding> unreadable) {
	}

}
