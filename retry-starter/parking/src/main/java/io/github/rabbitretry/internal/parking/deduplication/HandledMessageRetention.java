/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.deduplication;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

import io.github.rabbitretry.internal.parking.ledger.HandledMessages;
import io.github.rabbitretry.internal.parking.ledger.LedgerMaintenance;
import io.github.rabbitretry.internal.policy.Deduplication;
import io.github.rabbitretry.internal.policy.DeduplicationStore;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;

/**
 * Forgets handled messages after their policies' retention.
 */
public final class HandledMessageRetention {

	private final HandledMessages handled;

	private final List<MessagePolicy> policies;

	private final InstantSource clock;

	/**
	 * Creates the retention.
	 * @param handled the table
	 * @param policies what is kept for how long
	 * @param clock what time it is in the database
	 */
	public HandledMessageRetention(HandledMessages handled, MessagePolicies policies, InstantSource clock) {
		this.handled = handled;
		this.policies = policies.all().stream().filter(HandledMessageRetention::inDatabase).toList();
		this.clock = clock;
	}

	/**
	 * Whether a policy's handled messages are in the database.
	 * @param policy the policy
	 * @return {@code true} if they are
	 */
	static boolean inDatabase(MessagePolicy policy) {
		Deduplication deduplication = policy.deduplication();
		return deduplication != null && deduplication.store() == DeduplicationStore.JDBC;
	}

	/**
	 * Forgetting them.
	 * @return what there is to do, if any policy has handled messages in the database
	 */
	public List<LedgerMaintenance.Task> tasks() {
		return this.policies.isEmpty() ? List.of()
				: List.of(new LedgerMaintenance.Task(LedgerMaintenance.BETWEEN_DELETIONS, this::deleteOld,
						"Handled messages that are too old are not forgotten"));
	}

	void deleteOld() {
		// measures the database's clock, unless that was done
		this.handled.prepare();
		Instant now = this.clock.instant();
		for (MessagePolicy policy : this.policies) {
			Deduplication deduplication = policy.deduplication();
			if (deduplication != null) {
				this.handled.deleteOld(policy.queue(), now.minus(deduplication.retention()));
			}
		}
	}

}
