/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.deduplication;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import io.github.rabbitretry.deduplication.MessageDeduplicator;
import io.github.rabbitretry.internal.configuration.OptionalArtifact;
import io.github.rabbitretry.internal.policy.Deduplication;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;

/**
 * The deduplicators of those policies that have one.
 */
public final class Deduplicators {

	/** For how long the same message is waited for that another thread handles. */
	public static final Duration PATIENCE = Duration.ofSeconds(10);

	private final Map<String, MessageDeduplicator> byType = new HashMap<>();

	private final ObjectProvider<MessageDeduplicator> jdbc;

	private final ObjectProvider<MessageDeduplicator> application;

	/**
	 * Finds or makes the deduplicators.
	 * @param policies the policies
	 * @param jdbc that of rabbit-retry-parking
	 * @param application the application's
	 */
	public Deduplicators(MessagePolicies policies, ObjectProvider<MessageDeduplicator> jdbc,
			ObjectProvider<MessageDeduplicator> application) {
		this.jdbc = jdbc;
		this.application = application;
		for (MessagePolicy policy : policies.all()) {
			Deduplication deduplication = policy.deduplication();
			if (deduplication != null) {
				this.byType.put(policy.messageType(), switch (deduplication.store()) {
					case IN_MEMORY -> inMemory(deduplication);
					case JDBC -> jdbc(policy);
					default -> own(policy);
				});
			}
		}
	}

	private static MessageDeduplicator inMemory(Deduplication deduplication) {
		return new InMemoryDeduplicator(deduplication.retention(), deduplication.maxMessages(), PATIENCE,
				System::nanoTime);
	}

	private MessageDeduplicator own(MessagePolicy policy) {
		MessageDeduplicator own = this.application.getIfUnique();
		if (own == null) {
			throw invalid(policy, "bean",
					"needs one bean of type MessageDeduplicator, and there is %s"
						.formatted((this.application.stream().findAny().isPresent()) ? "more than one" : "none"),
					"Define one, mark one of several as @Primary, or use in-memory or jdbc.");
		}
		return own;
	}

	private MessageDeduplicator jdbc(MessagePolicy policy) {
		if (!OptionalArtifact.PARKING.isPresent()) {
			throw invalid(policy, "jdbc", "needs rabbit-retry-parking, which is not on the class path",
					"Add the dependency io.github.rabbitretry:rabbit-retry-parking-spring-boot-starter, or use in-memory.");
		}
		MessageDeduplicator deduplicator = this.jdbc.getIfAvailable();
		if (deduplicator == null) {
			throw invalid(policy, "jdbc", "needs the ledger's database, and there is no ledger",
					"Add spring-boot-starter-jdbc and define a DataSource, and don't set rabbit-retry.ledger.enabled to false; or use in-memory.");
		}
		return deduplicator;
	}

	private static InvalidConfigurationException invalid(MessagePolicy policy, String value, String relation,
			String remedy) {
		return new InvalidConfigurationException(
				"rabbit-retry.message-policies.%s.deduplication.store".formatted(policy.messageType()), value, relation,
				remedy);
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
