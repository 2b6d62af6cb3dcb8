/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.autoconfigure;

import java.time.Duration;
import java.util.List;

import io.github.rabbitretry.internal.configuration.KnownKeys;
import io.github.rabbitretry.internal.configuration.PolicyBinder;
import io.github.rabbitretry.internal.parking.ledger.LedgerPolicy;
import io.github.rabbitretry.internal.parking.ledger.Redaction;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import java.util.Map;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

import org.springframework.util.ClassUtils;

/**
 * From properties to what the ledger does with each message type, checked.
 */
final class LedgerPolicies {

	private static final String JACKSON = "tools.jackson.databind.json.JsonMapper";

	private static final Bindable<Map<String, Object>> KEYS = Bindable.mapOf(String.class, Object.class);

	private static final Bindable<Map<String, AsWritten>> POLICIES_AS_WRITTEN = Bindable.mapOf(String.class,
			AsWritten.class);

	private final PolicyBinder keys;

	private final @Nullable ClassLoader classLoader;

	private LedgerPolicies(PolicyBinder keys, @Nullable ClassLoader classLoader) {
		this.keys = keys;
		this.classLoader = classLoader;
	}

	/**
	 * Binds the keys {@code ledger} of all policies, and of their defaults.
	 * @param environment where from
	 * @param classLoader what knows whether JSON can be read
	 * @return them
	 */
	static LedgerPolicies bind(Environment environment, @Nullable ClassLoader classLoader) {
		Binder binder = Binder.get(environment);
		binder.bind("rabbit-retry.defaults.ledger", KEYS)
			.ifBound((keys) -> check("rabbit-retry.defaults.ledger.", keys));
		binder.bind("rabbit-retry.message-policies", POLICIES_AS_WRITTEN)
			.orElse(Map.of())
			.forEach((type, written) -> check("rabbit-retry.message-policies." + type + ".ledger.", written.ledger()));
		return new LedgerPolicies(new PolicyBinder(environment), classLoader);
	}

	private static void check(String prefix, @Nullable Map<String, Object> keys) {
		if (keys == null) {
			return;
		}
		keys.forEach((key, value) -> {
			if (!KnownKeys.knows(LedgerPolicyProperties.class, key)) {
				KnownKeys.Place place = KnownKeys.unknown(LedgerPolicyProperties.class, List.of(key));
				throw new InvalidConfigurationException(prefix + key, value, "is not a key of Rabbit Retry",
						place.meant().map("Did you mean '%s'? "::formatted).orElse("")
								+ "The keys there are: %s.".formatted(String.join(", ", place.known())));
			}
		});
	}

	List<LedgerPolicy> of(MessagePolicies policies) {
		return policies.all().stream().map(this::of).toList();
	}

	private LedgerPolicy of(MessagePolicy policy) {
		LedgerPolicyProperties ledger = this.keys.inherited(policy.messageType(), PolicyKeys.class).ledger();
		String prefix = "rabbit-retry.message-policies." + policy.messageType() + ".ledger.";
		return new LedgerPolicy(policy.messageType(), policy.owner(), policy.queue(), policy.topology().parkingLot(),
				retention(prefix, ledger.retention()), redaction(prefix, ledger));
	}

	private static @Nullable Duration retention(String prefix, @Nullable Duration retention) {
		if (retention != null && (retention.compareTo(Duration.ofMinutes(1)) < 0
				|| retention.compareTo(Duration.ofDays(36_500)) > 0)) {
			throw new InvalidConfigurationException(prefix + "retention", retention,
					"must be from one minute to a hundred years (PT876000H)",
					"Leave it out to keep parked messages for ever.");
		}
		return retention;
	}

	private Redaction redaction(String prefix, LedgerPolicyProperties ledger) {
		if (!ledger.storePayload()) {
			return Redaction.OMIT;
		}
		List<String> paths = ledger.maskedPaths();
		if (paths.isEmpty()) {
			return Redaction.NONE;
		}
		if (!ClassUtils.isPresent(JACKSON, this.classLoader)) {
			throw new InvalidConfigurationException(prefix + "masked-paths", paths,
					"needs Jackson 3, which is not on the class path",
					"Add spring-boot-starter-jackson, or set store-payload to false.");
		}
		try {
			return Redaction.masking(paths);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidConfigurationException(prefix + "masked-paths", String.valueOf(ex.getMessage()),
					"is no path that masking understands", "Write $.card.number, $.items[*].iban or $..password.");
		}
	}

	/**
	 * What stands there, known or not.
	 *
	 * @param ledger the keys
	 */
	record AsWritten(@Nullable Map<String, Object> ledger) {
	}

}
