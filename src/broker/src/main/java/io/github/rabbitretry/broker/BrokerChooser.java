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
record BrokerChooser(Settings settings, List<Way> ways) {

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
		for (Way way : forced.map((name) -> List.of(byName(name))).orElse(this.ways)) {
			try {
				return way.installation(this.settings);
			}
			catch (PassedOverException ex) {
				reasons.put(way.name(), String.valueOf(ex.getMessage()));
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
		return firstOf(this.ways, reasons);
	}

	private Broker firstOf(List<Way> candidates, Map<String, String> reasons) {
		for (Way way : candidates) {
			try {
				return way.start(this.settings);
			}
			catch (PassedOverException ex) {
				reasons.put(way.name(), String.valueOf(ex.getMessage()));
			}
		}
		throw NoBrokerException.of(reasons);
	}

	private Way byName(String name) {
		return this.ways.stream()
			.filter((way) -> way.name().equals(name))
			.findFirst()
			.orElseThrow(
					() -> new NoBrokerException("%s is '%s', which is not one of %s. Set it to one of them or unset it"
						.formatted(Setting.WAY.variable, name,
								String.join(", ", this.ways.stream().map(Way::name).toList()))));
	}

}
