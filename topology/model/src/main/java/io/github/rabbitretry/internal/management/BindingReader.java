/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.management;

import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * Reads bindings of a virtual host. RabbitMQ (4.0 to 4.3) answers 500 to each question
 * for a list with a binding whose routing key or name of an argument is no UTF-8. So what
 * can't be read at once is read by exchange, and then by both ends.
 */
public final class BindingReader {

	private static final String COLUMNS = "?columns=source,destination,destination_type,routing_key,properties_key,arguments";

	/** What RabbitMQ reports of any binding: names of queues and exchanges are UTF-8. */
	private static final String ENDS = "?columns=source,destination,destination_type";

	private final String virtualHost;

	private final Function<String, @Nullable Object> question;

	/**
	 * Creates it.
	 * @param virtualHost the virtual host
	 * @param question asks for a path, as {@link ManagementClient#read} does
	 */
	public BindingReader(String virtualHost, Function<String, @Nullable Object> question) {
		this.virtualHost = ManagementClient.encoded(virtualHost);
		this.question = question;
	}

	/**
	 * Reads all bindings; those of the default exchange only where that costs nothing.
	 * @return what could be read, and what could not
	 * @throws ManagementUnavailableException if not even their ends can be found out
	 */
	public Bindings all() {
		String path = "/api/bindings/" + this.virtualHost;
		try {
			return new Bindings(entries(path + COLUMNS), List.of());
		}
		catch (ManagementUnavailableException ex) {
			if (ex.status() != HttpURLConnection.HTTP_INTERNAL_ERROR) {
				throw ex;
			}
		}
		Set<String> exchanges = new LinkedHashSet<>();
		entries(path + ENDS).forEach((entry) -> exchanges.add(text(entry, "source")));
		exchanges.remove("");
		return from(exchanges);
	}

	/**
	 * Reads the bindings of exchanges.
	 * @param exchanges the exchanges
	 * @return what could be read, and what could not
	 * @throws ManagementUnavailableException if not even their ends can be found out
	 */
	public Bindings from(Collection<String> exchanges) {
		List<Map<?, ?>> read = new ArrayList<>();
		List<UnreadableBinding> unreadable = new ArrayList<>();
		for (String exchange : exchanges) {
			String path = "/api/exchanges/%s/%s/bindings/source".formatted(this.virtualHost,
					ManagementClient.encoded(exchange));
			try {
				read.addAll(entries(path + COLUMNS));
			}
			catch (ManagementUnavailableException ex) {
				if (ex.status() == HttpURLConnection.HTTP_INTERNAL_ERROR) {
					// only once each, however many bindings have the same ends
					new LinkedHashSet<>(entries(path + ENDS)).forEach((ends) -> between(ends, read, unreadable));
				}
				else if (ex.status() != HttpURLConnection.HTTP_NOT_FOUND) {
					throw ex;
				}
			}
		}
		return new Bindings(read, unreadable);
	}

	private void between(Map<?, ?> ends, List<Map<?, ?>> read, List<UnreadableBinding> unreadable) {
		String source = text(ends, "source");
		String destination = text(ends, "destination");
		boolean toQueue = text(ends, "destination_type").equals("queue");
		try {
			read.addAll(entries(
					"/api/bindings/%s/e/%s/%s/%s%s".formatted(this.virtualHost, ManagementClient.encoded(source),
							toQueue ? "q" : "e", ManagementClient.encoded(destination), COLUMNS)));
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

	private List<Map<?, ?>> entries(String path) {
		if (!(this.question.apply(path) instanceof List<?> list)) {
			throw new ManagementUnavailableException(path + ": a list expected");
		}
		List<Map<?, ?>> entries = new ArrayList<>(list.size());
		list.forEach((entry) -> {
			if (entry instanceof Map<?, ?> members) {
				entries.add(members);
			}
		});
		return entries;
	}

	private static String text(Map<?, ?> entry, String name) {
		return (entry.get(name) instanceof String text) ? text : "";
	}

	/**
	 * What was found out.
	 *
	 * @param read the bindings as the management API describes them
	 * @param unreadable those it could not describe
	 */
	public record Bindings(List<Map<?, ?>> read, List<UnreadableBinding> unreadable) {
	}

}
