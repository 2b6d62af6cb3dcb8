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

	QUEUE_TYPE_WRONG(Severity.ERROR,
			"A classic queue dead-letters at most once and counts no deliveries, and arguments of one type mean nothing to another."),

	QUEUE_NOT_DURABLE(Severity.ERROR, "A restart of the broker deletes the queue with its messages."),

	QUEUE_AUTO_DELETE(Severity.ERROR,
			"The broker deletes the queue with its messages when its last consumer, or its connection, is gone."),

	QUEUE_EXPIRES(Severity.ERROR,
			"The broker deletes the queue with its messages if nobody uses it for that long; retry queues never have consumers."),

	TTL_WRONG(Severity.ERROR,
			"Messages come back too early or too late, or are deleted where they were to wait for people."),

	DEAD_LETTER_EXCHANGE_WRONG(Severity.ERROR,
			"Messages that leave the queue are dropped, or go where nobody expects them."),

	DEAD_LETTER_KEY_WRONG(Severity.ERROR, "Messages that leave the queue find no queue, or the wrong one."),

	DEAD_LETTER_STRATEGY_WRONG(Severity.ERROR,
			"Dead-lettering is at most once: messages on their way are lost when a node stops or a queue is away."),

	OVERFLOW_WRONG(Severity.ERROR,
			"Dead-lettering is at most once without reject-publish, and a length limit drops the oldest messages."),

	DELIVERY_LIMIT_WRONG(Severity.ERROR,
			"Messages that are looked at or returned more often than that are given up, or those that kill consumers are not."),

	LENGTH_LIMIT(Severity.WARNING, "A full queue refuses messages: what cannot be handed over stays where it is."),

	ARGUMENT_WRONG(Severity.WARNING,
			"The queue does not behave as the message policy expects, and declaring it fails startup."),

	EXCHANGE_MISSING(Severity.ERROR,
			"Copies cannot be published, and messages whose delay is over stay in their retry queue."),

	EXCHANGE_WRONG(Severity.ERROR,
			"It routes in another way, or is gone after a restart, and declaring it fails startup."),

	ALTERNATE_EXCHANGE(Severity.ERROR,
			"A copy that no queue of ours takes counts as handed over, and its original is acknowledged."),

	BINDING_MISSING(Severity.ERROR, "Messages that should take this way find no queue."),

	BINDING_DOUBLES(Severity.ERROR, "Each message on this way arrives a second time, in this or in another queue."),

	BINDING_FOREIGN(Severity.WARNING,
			"Messages reach the queue that nobody handed over: they lack the headers of a retry, or nobody parked them."),

	DEAD_LETTERS_LOST(Severity.ERROR, "Messages that the broker dead-letters find no queue."),

	DEAD_LETTERS_DROPPED(Severity.WARNING,
			"Expired and rejected messages, and those over a length or delivery limit, are dropped."),

	DEAD_LETTERS_ELSEWHERE(Severity.INFO, "Messages that the broker dead-letters are not parked."),

	ROUTING_CYCLE(Severity.ERROR,
			"RabbitMQ drops a message, silently, that comes back by dead-lettering alone to a queue it was in; others go round for ever."),

	POLICY_MISSING(Severity.ERROR,
			"Messages may be lost: without a dead-letter exchange those that wait are deleted at the end of their delay, and without a time to live they wait for ever."),

	POLICY_OVERFLOW(Severity.ERROR,
			"Dead-lettering becomes at most once, or a limit drops messages, whatever the queue declares."),

	POLICY_MESSAGE_TTL(Severity.ERROR,
			"Messages are deleted, set aside or come back early, whatever the queue declares."),

	POLICY_EXPIRES(Severity.ERROR, "The broker deletes queues with their messages."),

	POLICY_DELIVERY_LIMIT(Severity.ERROR, "Messages that are looked at too often are deleted."),

	POLICY_DEAD_LETTER_EXCHANGE(Severity.ERROR, "Messages leave the queue and go where nobody expects them."),

	POLICY_DEAD_LETTER_ROUTING_KEY(Severity.ERROR,
			"Messages leave delay levels with this key and do not reach their work queue."),

	POLICY_DEAD_LETTER_STRATEGY(Severity.ERROR, "Dead-lettering is at most once."),

	POLICY_ALTERNATE_EXCHANGE(Severity.ERROR,
			"A copy that no queue of ours takes counts as handed over, and its original is acknowledged."),

	POLICY_CONSUMER_TIMEOUT(Severity.ERROR, "The broker takes deliveries back while they are handled."),

	POLICY_LENGTH_LIMIT(Severity.WARNING,
			"A full queue refuses messages: what cannot be handed over stays where it is and is tried again."),

	POLICY_DELAYED_RETRY(Severity.WARNING, "What a look at a parking lot gives back is hidden for a while."),

	POLICY_FEDERATION(Severity.INFO, "Messages may move between clusters."),

	POLICY_UNREADABLE(Severity.WARNING, "What it does to queues is not known, nor what it displaces."),

	RETRY_QUEUE_LEFTOVER(Severity.INFO, "No policy has this delay any more. What is in it comes back by itself."),

	LADDER_LEFTOVER(Severity.INFO, "An earlier version declared it. Nothing uses it any more."),

	QUEUE_LEFTOVER(Severity.INFO, "No policy uses it any more, so nobody takes messages from it."),

	WORK_QUEUE_LEFTOVER(Severity.INFO,
			"If a policy had it under this name before, what is in it and what comes back to it is not handled."),

	EXCHANGE_LEFTOVER(Severity.INFO, "No policy uses it any more."),

	MIGRATION_UNFINISHED(Severity.ERROR,
			"It stands for a queue while that one is replaced. What is in it is not handled before the migration ends."),

	QUEUE_ORPHANED(Severity.INFO, "Its work queue is gone: nobody handles what comes back, or parks what is in it."),

	WORK_QUEUE_UNCONSUMED(Severity.WARNING, "Messages and retries are not handled."),

	DEAD_LETTERS_UNCONSUMED(Severity.WARNING, "Messages that the broker dead-lettered are not parked."),

	QUARANTINE_UNCONSUMED(Severity.WARNING, "Messages that consumers died with are not handled."),

	RETRY_QUEUE_CONSUMED(Severity.ERROR, "Whoever consumes takes messages away that wait for their next attempt."),

	PARKING_LOT_CONSUMED(Severity.WARNING,
			"Somebody takes parked messages away that is neither the ledger nor the window."),

	CONSUMER_EXCLUSIVE(Severity.WARNING, "No other instance can consume the queue."),

	MESSAGES_STUCK(Severity.WARNING,
			"Messages are neither ready nor unacknowledged: the broker cannot dead-letter them, and tries again every 3 minutes."),

	MESSAGES_UNROUTABLE(Severity.WARNING,
			"The queues that these messages are for do not exist or are not bound, or no consumer could receive them."),

	QUEUE_UNAVAILABLE(Severity.ERROR, "Nothing can be published to it or taken from it."),

	QUEUE_REPLICA_DOWN(Severity.WARNING, "The loss of another node may stop the queue."),

	BROKER_ALARM(Severity.ERROR, "The broker blocks every connection that publishes: nothing is handed over."),

	PUBLISHER_SHARED(Severity.WARNING,
			"Under an alarm the broker stops reading the connection: acknowledgements are stuck, and consumers with them."),

	CONSUMER_TIMEOUT_SHORT(Severity.ERROR,
			"The broker takes deliveries back while they are handled, and delivers them again."),

	VHOST_LIMIT(Severity.WARNING, "Queues or connections that are needed cannot be made."),

	USER_LIMIT(Severity.WARNING, "Connections or channels that are needed cannot be made."),

	BROKER_VERSION(Severity.WARNING, "Rabbit Retry is tested with RabbitMQ 4.0 to 4.3."),

	VERSION_DELAYED_RETRY(Severity.WARNING,
			"RabbitMQ before 4.3 accepts the argument, and before 4.3.1 the policy, and ignores it: returned deliveries come again at once."),

	VERSION_DELIVERY_LIMIT(Severity.ERROR,
			"RabbitMQ before 4.0 drops a message that is returned once if the limit is -1, which means none from 4.0 on."),

	VERSION_DELAYED_EXCHANGE(Severity.WARNING,
			"The plugin of delayed exchanges is archived and keeps messages on one node. RabbitMQ 4.3 has nothing that it could run on."),

	VERSION_PERMISSION_PATTERN(Severity.INFO,
			"RabbitMQ 4.3 refuses patterns of more than 1024 bytes, in an import of definitions too."),

	VERSION_PASSIVE_DECLARE(Severity.INFO,
			"RabbitMQ 4.2.6 and 4.3.0 want the permission to configure a queue from who asks whether it exists."),

	EXISTING_QUEUE_MISSING(Severity.ERROR, "Messages that wait come back to nothing."),

	EXISTING_QUEUE_STREAM(Severity.ERROR, "A message that comes back would be appended for all readers."),

	EXISTING_QUEUE_NOT_LASTING(Severity.WARNING,
			"Messages cannot come back while it is away. RabbitMQ 4.3 does not let transient queues be declared again."),

	PERMISSION_MISSING(Severity.ERROR, "The broker refuses what the application does, and closes its channel."),

	PERMISSION_BROAD(Severity.INFO, "A mistake or an intruder can delete queues of other services."),

	USER_ADMINISTRATOR(Severity.INFO, "Whoever has the password of the service can do everything on the broker."),

	TOPOLOGY_DIFFERS(Severity.ERROR, "The broker refuses the declaration, so the application does not start.");

	private final Severity severity;

	private final String why;

	FindingCode(Severity severity, String why) {
		this.severity = severity;
		this.why = why;
	}

	Severity severity() {
		return this.severity;
	}

	String why() {
		return this.why;
	}

	/** As it stands in answers: scripts rely on it. */
	String code() {
		return name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	Finding of(String subject, String fact, String remedy, List<String> commands) {
		return new Finding(this.severity, code(), subject, fact, this.why, remedy, commands, List.of());
	}

}
