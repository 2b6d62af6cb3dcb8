/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

import io.github.rabbitretry.ledger.LedgerPolicy;
import io.github.rabbitretry.ledger.Redaction;
import io.github.rabbitretry.policy.InvalidPolicyException;
import io.github.rabbitretry.policy.MessagePolicies;
import io.github.rabbitretry.policy.MessagePolicy;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;

/**
 * From properties to what the ledger does with each message type, checked.
 */
final class LedgerPolicies {

	private static final String JACKSON = "tools.jackson.databind.json.JsonMapper";

	private final RabbitRetryProperties properties;

	private final @Nullable ClassLoader classLoader;

	LedgerPolicies(RabbitRetryProperties properties, @Nullable ClassLoader classLoader) {
		this.properties = properties;
		this.classLoader = classLoader;
	}

	List<LedgerPolicy> of(MessagePolicies policies) {
		return policies.all().stream().map(this::of).toList();
	}

	private LedgerPolicy of(MessagePolicy policy) {
		LedgerPolicyProperties ledger = merged(policy.messageType());
		String prefix = "rabbit-retry.message-policies." + policy.messageType() + ".ledger.";
		return new LedgerPolicy(policy.messageType(), policy.owner(), policy.queue(), policy.topology().parkingLot(),
				retention(prefix, ledger.retention()), redaction(prefix, ledger));
	}

	private LedgerPolicyProperties merged(String messageType) {
		PolicyProperties own = this.properties.messagePolicies().get(messageType);
		PolicyProperties defaults = this.properties.defaults();
		PolicyProperties merged = (own == null || defaults == null) ? ((own != null) ? own : defaults)
				: own.or(defaults);
		return (merged != null) ? Objects.requireNonNull(merged.orBuiltIn().ledger(), "built-in defaults leave no gap")
				: LedgerPolicyProperties.BUILT_IN;
	}

	private static @Nullable Duration retention(String prefix, @Nullable Duration retention) {
		if (retention != null && (retention.compareTo(Duration.ofMinutes(1)) < 0
				|| retention.compareTo(Duration.ofDays(36_500)) > 0)) {
			throw new InvalidPolicyException(prefix + "retention", retention,
					"must be from one minute to a hundred years (PT876000H)",
					"Leave it out to keep parked messages for ever.");
		}
		return retention;
	}

	private Redaction redaction(String prefix, LedgerPolicyProperties ledger) {
		if (Boolean.FALSE.equals(ledger.storePayload())) {
			return Redaction.OMIT;
		}
		List<String> paths = (ledger.maskedPaths() != null) ? ledger.maskedPaths() : List.of();
		if (paths.isEmpty()) {
			return Redaction.NONE;
		}
		if (!ClassUtils.isPresent(JACKSON, this.classLoader)) {
			throw new InvalidPolicyException(prefix + "masked-paths", paths,
					"needs Jackson 3, which is not on the class path",
					"Add spring-boot-starter-jackson, or set store-payload to false.");
		}
		try {
			return Redaction.masking(paths);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidPolicyException(prefix + "masked-paths", String.valueOf(ex.getMessage()),
					"is no path that masking understands", "Write $.card.number, $.items[*].iban or $..password.");
		}
	}

}
