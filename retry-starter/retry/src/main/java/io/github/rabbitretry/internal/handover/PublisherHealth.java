/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.handover;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.rabbitretry.internal.health.HealthProblem;
import io.github.rabbitretry.internal.logging.RateLimitedLog;
import io.github.rabbitretry.internal.message.LogText;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * What keeps a publisher's messages from being published, for health, metrics and log.
 */
final class PublisherHealth {

	/** The cause of messages that wait for the end of an alarm, or for any answer. */
	static final String BLOCKED = "publisher-blocked";

	private static final Log logger = LogFactory.getLog(ConfirmedPublisher.class);

	private final RateLimitedLog failures = new RateLimitedLog(logger, Duration.ofSeconds(30));

	private final RateLimitedLog refusals = new RateLimitedLog(logger, Duration.ofSeconds(5));

	private final String messageType;

	private final PublisherConnection connection;

	private final Map<String, ExchangePublisher> publishers;

	PublisherHealth(String messageType, PublisherConnection connection, Map<String, ExchangePublisher> publishers) {
		this.messageType = messageType;
		this.connection = connection;
		this.publishers = publishers;
	}

	/**
	 * Warns that a copy will be published again, as often as is of use.
	 * @param message the copy
	 * @param why why its publication failed
	 * @param text what the broker said
	 * @param pending how many copies are on their way
	 */
	void warn(OutboundMessage message, PublicationFailure why, String text, int pending) {
		if (why == PublicationFailure.SUSPECT && message.refusedAlone()) {
			String id = message.properties().getMessageId();
			this.refusals
				.warn(() -> ("The broker refuses to accept a copy for '%s' (message id %s): %s. Its original is "
						+ "held unacknowledged, and the copy is published again after 30 seconds to 10 minutes")
					.formatted(message.routingKey(), (id != null) ? LogText.of(id) : "none", text));
		}
		else if (why != PublicationFailure.SUSPECT && !why.ofTheChannel()) {
			this.failures
				.warn(() -> ("Copies for '%s' through exchange '%s' %s: deliveries of '%s' that failed (%s) are held "
						+ "unacknowledged and their copies published again until they are accepted")
					.formatted(message.routingKey(), message.exchange(), why, this.messageType, pending));
		}
	}

	/** Whether the broker asked not to publish. */
	boolean blocked() {
		return this.connection.blocked();
	}

	/**
	 * What messages may have to wait for.
	 * @return a closed list of names
	 */
	static List<String> causes() {
		return Stream
			.concat(Stream.of(BLOCKED), Arrays.stream(PublicationFailure.values()).map(PublicationFailure::code))
			.distinct()
			.toList();
	}

	/**
	 * How many messages wait to be published again, by what they wait for.
	 * @return numbers by the code of the cause
	 */
	Map<String, Integer> waiting() {
		Map<String, Integer> waiting = new TreeMap<>();
		this.publishers.values()
			.forEach((publisher) -> publisher.waiting()
				.stream()
				.forEach((message) -> waiting.merge(code(publisher, message), 1, Integer::sum)));
		return waiting;
	}

	/**
	 * What keeps them from being published.
	 * @return the problems, empty if there are none
	 */
	List<HealthProblem> problems() {
		List<HealthProblem> problems = new ArrayList<>();
		this.publishers.forEach((exchange, publisher) -> {
			Map<String, Long> waiting = publisher.waiting()
				.stream()
				.collect(Collectors.groupingBy((message) -> code(publisher, message), TreeMap::new,
						Collectors.counting()));
			waiting.forEach((code, count) -> {
				String why = detail(code, publisher);
				if (why != null) {
					problems
						.add(new HealthProblem(code, "%s through exchange '%s'".formatted(this.messageType, exchange),
								"failed deliveries held unacknowledged: %s; %s".formatted(count, why)));
				}
			});
		});
		return problems;
	}

	private String code(ExchangePublisher publisher, OutboundMessage message) {
		if (this.connection.blocked() || publisher.unanswered()) {
			return BLOCKED;
		}
		PublicationFailure why = message.lastFailure();
		return ((why != null) ? why : PublicationFailure.LOST).code();
	}

	private @Nullable String detail(String code, ExchangePublisher publisher) {
		if (code.equals(BLOCKED)) {
			return this.connection.blocked()
					? "the broker blocks publishers (%s)".formatted(this.connection.blockedReason())
					: "the broker does not answer (it blocks the connection, stands still, or is cut off)";
		}
		if (code.equals(PublicationFailure.LOST.code())) {
			String failure = this.connection.failure();
			return (failure != null) ? "there is no connection to publish on (%s)".formatted(failure) : null;
		}
		for (PublicationFailure why : PublicationFailure.values()) {
			if (why.code().equals(code)) {
				boolean fromBroker = why == PublicationFailure.SUSPECT || why.ofTheExchange();
				return "copies " + why + (fromBroker ? ": " + publisher.brokerText() : "");
			}
		}
		return null;
	}

}
