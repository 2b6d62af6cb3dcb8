/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.deduplication;

import io.github.rabbitretry.deduplication.MessageDeduplicator;
import io.github.rabbitretry.internal.configuration.OptionalArtifact;
import io.github.rabbitretry.internal.policy.Deduplication;
import io.github.rabbitretry.internal.policy.DeduplicationStore;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;

import org.springframework.beans.factory.ObjectProvider;

/**
 * Finds the deduplicator that a policy asks for, or says what it needs.
 *
 * @param jdbc that of rabbit-retry-parking
 * @param application the application's
 */
public record DeduplicatorFinder(ObjectProvider<MessageDeduplicator> jdbc,
		ObjectProvider<MessageDeduplicator> application) {

	/**
	 * Finds the deduplicator.
	 * @param policy a policy with deduplication other than in-memory
	 * @return the deduplicator
	 */
	public MessageDeduplicator find(MessagePolicy policy) {
		Deduplication deduplication = policy.deduplication();
		if (deduplication != null && deduplication.store() == DeduplicationStore.JDBC) {
			return jdbc(policy);
		}
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

}
