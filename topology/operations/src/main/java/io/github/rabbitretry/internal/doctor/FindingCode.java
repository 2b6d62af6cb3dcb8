/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.doctor;

import java.util.List;
import java.util.Locale;

/**
 * What the doctor finds: a closed list.
 */
enum FindingCode {

	NOTHING_DECLARED(Severity.ERROR, "Nothing can be published to the service, and nothing can be retried or parked."),

	QUEUE_MISSING(Severity.ERROR,
			"Copies to it are returned and held; messages on their way to it are stuck or set aside."),

	QUEUE_WRONG(Severity.ERROR,
			"The queue does not behave as the message policy expects, and declaring it fails startup."),

	QUEUE_UNAVAILABLE(Severity.ERROR,
			"Nothing can be published to it or taken from it, or the loss of another node may stop it."),

	QUEUE_UNCONSUMED(Severity.WARNING, "Messages in it are not handled or parked."),

	EXISTING_QUEUE_UNFIT(Severity.ERROR, "Messages that wait cannot come back to it, or come back twice."),

	EXCHANGE_MISSING(Severity.ERROR,
			"Copies cannot be published, and messages whose delay is over stay in their retry queue."),

	EXCHANGE_WRONG(Severity.ERROR,
			"It routes in another way, is gone after a restart, or accepts copies that no queue of ours takes."),

	BINDING_MISSING(Severity.ERROR, "Messages that should take this way find no queue."),

	BINDING_UNEXPECTED(Severity.ERROR,
			"Messages arrive a second time, or reach a queue without having been retried or parked."),

	DEAD_LETTERS_LOST(Severity.ERROR, "Messages that the broker dead-letters are dropped or find no queue."),

	DEAD_LETTERS_ELSEWHERE(Severity.INFO, "Messages that the broker dead-letters are not parked."),

	ROUTING_CYCLE(Severity.ERROR,
			"RabbitMQ drops a message, silently, that comes back by dead-lettering alone to a queue it was in; others go round for ever."),

	POLICY_UNSAFE(Severity.ERROR,
			"A policy takes precedence over the queue's arguments, so messages may be lost, come back at the wrong time or be refused."),

	LEFTOVER(Severity.INFO, "No policy uses it any more, so no policy handles its messages."),

	FORMER_QUEUE(Severity.INFO, "The service consumes former queues until they are empty; then they are of no use."),

	CONSUMER_UNEXPECTED(Severity.ERROR,
			"A consumer takes messages that wait for their next attempt or for an operator, or blocks other instances."),

	MESSAGES_STUCK(Severity.WARNING,
			"Messages are neither ready nor unacknowledged: the broker cannot dead-letter them, and tries again within 6 minutes."),

	MESSAGES_UNROUTABLE(Severity.WARNING,
			"The queues that these messages are for do not exist or are not bound, or no consumer could receive them."),

	BROKER_ALARM(Severity.ERROR, "The broker blocks every connection that publishes: nothing is handed over."),

	PUBLISHER_SHARED(Severity.WARNING,
			"Under an alarm the broker stops reading the connection: acknowledgements are stuck, and consumers with them."),

	CONSUMER_TIMEOUT_SHORT(Severity.ERROR,
			"The broker takes deliveries back while they are handled, and delivers them again."),

	BROKER_VERSION(Severity.WARNING,
			"This version of RabbitMQ is not tested with Rabbit Retry, and may behave differently."),

	PERMISSION_MISSING(Severity.ERROR, "The broker refuses what the application does, and closes its channel."),

	PERMISSION_BROAD(Severity.INFO,
			"A mistake, or an intruder with the service's password, can delete queues of other services.");

	private final Severity severity;

	private final String why;

	FindingCode(Severity severity, String why) {
		this.severity = severity;
		this.why = why;
	}

	Severity severity() {
		return this.severity;
	}

	/** As used in responses: scripts rely on it. */
	String code() {
		return name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	Finding of(String subject, String fact, String remedy, List<String> commands) {
		return of(this.severity, subject, fact, remedy, commands);
	}

	Finding of(Severity other, String subject, String fact, String remedy, List<String> commands) {
		return new Finding(other, code(), subject, fact, this.why, remedy, commands, List.of());
	}

}
