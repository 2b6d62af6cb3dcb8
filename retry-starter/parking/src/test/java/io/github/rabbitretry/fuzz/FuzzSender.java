/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import io.github.rabbitretry.broker.Broker;
import org.jspecify.annotations.Nullable;

/**
 * Sends messages, in portions where the broker takes them all, and keeps what it
 * answered.
 */
final class FuzzSender implements AutoCloseable {

	private static final int PORTION = 25;

	private final Broker broker;

	private final List<FuzzMessage> waiting = new ArrayList<>();

	private final Map<String, Amqp10> connections10 = new HashMap<>();

	private final Map<Sent, Set<Integer>> ids = new EnumMap<>(Sent.class);

	private final Map<String, Map<Sent, Integer>> kinds = new TreeMap<>();

	private final Map<String, Integer> refusals = new TreeMap<>();

	private @Nullable Amqp091 connection;

	FuzzSender(Broker broker) {
		this.broker = broker;
		for (Sent sent : Sent.values()) {
			this.ids.put(sent, new TreeSet<>());
		}
	}

	Set<Integer> ids(Sent sent) {
		return this.ids.getOrDefault(sent, Set.of());
	}

	void send(FuzzMessage message) {
		try {
			if (message.amqp10()) {
				send10(message);
			}
			else if (message.alone()) {
				publish(List.of(message));
			}
			else {
				this.waiting.add(message);
				if (this.waiting.size() >= PORTION) {
					flush();
				}
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	void flush() throws IOException {
		if (!this.waiting.isEmpty()) {
			publish(List.copyOf(this.waiting));
			this.waiting.clear();
		}
	}

	private void publish(List<FuzzMessage> messages) throws IOException {
		Amqp091 channel = this.connection;
		if (channel == null) {
			channel = new Amqp091(this.broker);
			this.connection = channel;
		}
		List<Sent> outcomes = channel.publish(messages);
		for (int index = 0; index < messages.size(); index++) {
			record(messages.get(index), outcomes.get(index));
		}
		if (!channel.closedWith().isEmpty()) {
			refused(messages.get(0).kind(), channel.closedWith());
			channel.close();
			this.connection = null;
		}
	}

	private void send10(FuzzMessage message) throws IOException {
		Amqp10 link = this.connections10.get(message.queue());
		if (link == null) {
			link = new Amqp10(this.broker, message.queue());
			this.connections10.put(message.queue(), link);
		}
		record(message, link.publish(message));
		if (!link.closedWith().isEmpty()) {
			refused(message.kind(), link.closedWith());
			link.close();
			this.connections10.remove(message.queue());
		}
	}

	private void refused(String kind, String text) {
		String shortened = text.replaceAll("\\d{2,}|<<.*>>|'.*'", "_");
		this.refusals.merge(kind + ": " + shortened.substring(0, Math.min(100, shortened.length())), 1, Integer::sum);
	}

	private void record(FuzzMessage message, Sent sent) {
		this.ids.get(sent).add(message.id());
		this.kinds.computeIfAbsent(message.kind(), (kind) -> new EnumMap<>(Sent.class)).merge(sent, 1, Integer::sum);
	}

	@Override
	public void close() throws IOException {
		if (this.connection != null) {
			this.connection.close();
		}
		for (Amqp10 link : this.connections10.values()) {
			link.close();
		}
	}

	@Override
	public String toString() {
		return "sent %s; refused %s".formatted(this.kinds, this.refusals);
	}

}
