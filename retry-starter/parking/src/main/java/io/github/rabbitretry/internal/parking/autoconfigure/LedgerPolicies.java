/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.autoconfigure;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.github.rabbitretry.internal.configuration.PolicyNames;
import io.github.rabbitretry.internal.configuration.StrictBindHandler;
import io.github.rabbitretry.internal.parking.mapping.LedgerPolicy;
import io.github.rabbitretry.internal.parking.mapping.Redaction;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.topology.FormerQueue;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * From properties to what the ledger does with each message type, checked.
 */
final class LedgerPolicies {

	private static final String JACKSON = "tools.jackson.databind.json.JsonMapper";

	private static final String DEFAULTS = "rabbit-retry.defaults.ledger";

	private static final LedgerPolicyProperties NONE = new LedgerPolicyProperties(null, true, List.of());

	private final Map<String, LedgerPolicyProperties> policies;

	private final @Nullable ClassLoader classLoader;

	private LedgerPolicies(Map<String, LedgerPolicyProperties> policies, @Nullable ClassLoader classLoader) {
		this.policies = policies;
		this.classLoader = classLoader;
	}

	/**
	 * Binds the keys {@code ledger} of all policies, and of their defaults.
	 * @param environment where from
	 * @param classLoader what knows whether JSON can be read
	 * @return them
	 */
	static LedgerPolicies bind(Environment environment, @Nullable ClassLoader classLoader) {
		Binder.get(environment).bind(DEFAULTS, Bindable.of(LedgerPolicyProperties.class), strict(environment));
		Map<String, LedgerPolicyProperties> policies = new HashMap<>();
		PolicyNames.in(environment)
			.forEach((type, name) -> policies.put(type, Binder.get(environment)
				.bindOrCreate(name.append("ledger"), Bindable.of(LedgerPolicyProperties.class), strict(environment))));
		return new LedgerPolicies(policies, classLoader);
	}

	private static BindHandler strict(Environment environment) {
		return new StrictBindHandler(new NoUnboundElementsBindHandler(BindHandler.DEFAULT), environment);
	}

	List<LedgerPolicy> of(MessagePolicies policies) {
		return policies.all().stream().map(this::of).toList();
	}

	private LedgerPolicy of(MessagePolicy policy) {
		LedgerPolicyProperties ledger = this.policies.getOrDefault(policy.messageType(), NONE);
		String prefix = "rabbit-retry.message-policies." + policy.messageType() + ".ledger.";
		return new LedgerPolicy(policy.messageType(), policy.owner(), policy.queue(), policy.topology().parkingLot(),
				retention(prefix, ledger.retention()), redaction(prefix, ledger), policy.exceptionTexts(),
				policy.topology()
					.formerQueues()
					.stream()
					.collect(Collectors.toMap(FormerQueue::queue, FormerQueue::parkingLot)));
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

}
