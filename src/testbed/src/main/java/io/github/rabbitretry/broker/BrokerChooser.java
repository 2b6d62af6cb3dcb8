/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.broker;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Tries the ways in their order and keeps why each was passed over. A forced way is the
 * only one that is tried, a named broker too: falling back from it would test another
 * broker than the one that was asked for.
 */
record BrokerChooser(Settings settings, List<BrokerProvider> providers) {

	/** What a cluster's nodes are started from. */
	Installation installation() {
		this.settings.askedVersion();
		Optional<String> forced = this.settings.get(Setting.WAY);
		Map<String, String> reasons = new LinkedHashMap<>();
		if (forced.isEmpty() && this.settings.get(Setting.BROKER).isPresent()) {
			// another broker than the one that was asked for would be tested
			reasons.put("named", "%s names a broker, which is no cluster of ours".formatted(Setting.BROKER.variable));
			throw NoBrokerException.ofCluster(reasons);
		}
		for (BrokerProvider provider : forced.map((name) -> List.of(byName(name))).orElse(this.providers)) {
			try {
				return provider.installation(this.settings);
			}
			catch (PassedOverException ex) {
				reasons.put(provider.name(), String.valueOf(ex.getMessage()));
			}
		}
		throw NoBrokerException.ofCluster(reasons);
	}

	Broker start() {
		this.settings.askedVersion();
		Optional<String> forced = this.settings.get(Setting.WAY);
		if (forced.isPresent()) {
			return firstOf(List.of(byName(forced.get())), new LinkedHashMap<>());
		}
		if (this.settings.get(Setting.BROKER).isPresent()) {
			return NamedBroker.of(this.settings);
		}
		Map<String, String> reasons = new LinkedHashMap<>();
		reasons.put("named", Setting.BROKER.variable + " is not set");
		return firstOf(this.providers, reasons);
	}

	private Broker firstOf(List<BrokerProvider> candidates, Map<String, String> reasons) {
		for (BrokerProvider provider : candidates) {
			try {
				return provider.start(this.settings);
			}
			catch (PassedOverException ex) {
				reasons.put(provider.name(), String.valueOf(ex.getMessage()));
			}
		}
		throw NoBrokerException.of(reasons);
	}

	private BrokerProvider byName(String name) {
		return this.providers.stream()
			.filter((provider) -> provider.name().equals(name))
			.findFirst()
			.orElseThrow(
					() -> new NoBrokerException("%s is '%s', which is not one of %s. Set it to one of them or unset it"
						.formatted(Setting.WAY.variable, name,
								String.join(", ", this.providers.stream().map(BrokerProvider::name).toList()))));
	}

}
