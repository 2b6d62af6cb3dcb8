/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it.listeners;

import java.util.List;
import java.util.Locale;
import java.util.Map;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.GetResponse;
import io.github.rabbitretry.it.TestBroker;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * One kind of listener, by the name that {@code src/docs/listeners.md} lists.
 */
class ListenerKind {

	private final String name;

	private final KindsApplication application;

	private final List<String> properties;

	/**
	 * Creates a kind.
	 * @param name the name on the page
	 * @param application what has a listener of this kind, on the queue {@link #queue()}
	 * @param properties of the application, for this kind
	 */
	ListenerKind(String name, KindsApplication application, String... properties) {
		this.name = name;
		this.application = application;
		this.properties = List.of(properties);
	}

	KindsApplication application() {
		return this.application;
	}

	List<String> properties() {
		return this.properties;
	}

	/** Whether this JVM has what the kind needs. */
	boolean possible() {
		return true;
	}

	/** The work queue, which the listener knows too. */
	String queue() {
		return "kinds." + this.name.toLowerCase(Locale.ROOT).replaceAll("[^a-z]+", "-").replaceAll("^-|-$", "");
	}

	/** Its message policy. */
	String messageType() {
		return this.name.replaceAll("[^A-Za-z]+", "");
	}

	/**
	 * Sends a message that comes to an outcome.
	 * @param broker the broker
	 * @param id the message's id, which begins with the outcome's name
	 * @param outcome the outcome
	 */
	void send(TestBroker broker, String id, Outcome outcome) {
		broker.send(queue(), properties(id).build(), body(id, outcome));
	}

	BasicProperties.Builder properties(String id) {
		return TestBroker.json(id).headers(Map.of("tenant", "acme"));
	}

	String body(String id, Outcome outcome) {
		return "{\"id\":\"%s\",\"quantity\":1}".formatted(id);
	}

	/** How often the handler is called for a message. */
	int calls(Outcome outcome) {
		return outcome.calls();
	}

	/** What is told of the message type. */
	List<String> events(Outcome outcome) {
		return outcome.events();
	}

	/**
	 * Asserts what else there is to assert, once the message is settled.
	 * @param broker the broker
	 * @param id the message's id
	 * @param outcome its outcome
	 */
	void verify(TestBroker broker, String id, Outcome outcome) {
		if (outcome == Outcome.PARK) {
			GetResponse parked = broker.take(queue() + ".parking-lot");
			assertThat(parked.getProps().getMessageId()).isEqualTo(id);
			assertThat(new String(parked.getBody())).isEqualTo(body(id, outcome));
			assertThat(TestBroker.text(parked)).containsEntry("x-app-exception", exception())
				.containsEntry("x-app-retry-attempt", String.valueOf(events(outcome).size() - 1));
		}
	}

	/** What a parked message says was thrown. */
	String exception() {
		return IllegalStateException.class.getName();
	}

	@Override
	public String toString() {
		return this.name;
	}

}
