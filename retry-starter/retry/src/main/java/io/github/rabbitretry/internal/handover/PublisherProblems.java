/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.handover;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.rabbitretry.internal.health.HealthProblem;
import org.jspecify.annotations.Nullable;

/**
 * What keeps a publisher's messages from being published, for health and metrics.
 */
final class PublisherProblems {

	/** The cause of messages that wait for the end of an alarm, or for any answer. */
	static final String BLOCKED = "publisher-blocked";

	private final String messageType;

	private final PublisherConnection link;

	private final Map<String, ExchangePublisher> publishers;

	PublisherProblems(String messageType, PublisherConnection link, Map<String, ExchangePublisher> publishers) {
		this.messageType = messageType;
		this.link = link;
		this.publishers = publishers;
	}

	/** Whether the broker asked not to publish. */
	boolean blocked() {
		return this.link.blocked();
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
		if (this.link.blocked() || publisher.unanswered()) {
			return BLOCKED;
		}
		PublicationFailure why = message.lastFailure();
		return ((why != null) ? why : PublicationFailure.LOST).code();
	}

	private @Nullable String detail(String code, ExchangePublisher publisher) {
		if (code.equals(BLOCKED)) {
			return this.link.blocked() ? "the broker blocks publishers (%s)".formatted(this.link.blockedReason())
					: "the broker does not answer (it blocks the connection, stands still, or is cut off)";
		}
		if (code.equals(PublicationFailure.LOST.code())) {
			String failure = this.link.failure();
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
