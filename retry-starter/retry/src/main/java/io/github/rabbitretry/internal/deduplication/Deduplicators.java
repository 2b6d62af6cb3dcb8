/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.deduplication;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

import io.github.rabbitretry.deduplication.MessageDeduplicator;
import io.github.rabbitretry.internal.policy.Deduplication;
import io.github.rabbitretry.internal.policy.DeduplicationStore;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import org.jspecify.annotations.Nullable;

/**
 * The deduplicators of those policies that have one.
 */
public final class Deduplicators {

	/** For how long the same message is waited for that another thread handles. */
	public static final Duration PATIENCE = Duration.ofSeconds(10);

	private final Map<String, MessageDeduplicator> byType = new HashMap<>();

	/**
	 * Finds or makes the deduplicators.
	 * @param policies the policies
	 * @param others gives the deduplicator of a policy whose store is not in memory
	 */
	public Deduplicators(MessagePolicies policies, Function<MessagePolicy, MessageDeduplicator> others) {
		for (MessagePolicy policy : policies.all()) {
			Deduplication deduplication = policy.deduplication();
			if (deduplication != null) {
				this.byType.put(policy.messageType(), (deduplication.store() == DeduplicationStore.IN_MEMORY)
						? inMemory(deduplication) : others.apply(policy));
			}
		}
	}

	private static MessageDeduplicator inMemory(Deduplication deduplication) {
		return new InMemoryDeduplicator(deduplication.retention(), deduplication.maxMessages(), PATIENCE,
				System::nanoTime);
	}

	/**
	 * The deduplicator of a policy.
	 * @param policy the policy
	 * @return the same for all its listeners, or {@code null} if it has none
	 */
	public @Nullable MessageDeduplicator of(MessagePolicy policy) {
		return this.byType.get(policy.messageType());
	}

}
