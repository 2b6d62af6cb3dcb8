/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.broker;

import java.util.List;
import java.util.Optional;

import io.github.rabbitretry.provision.Chooser;
import io.github.rabbitretry.provision.Setting;
import io.github.rabbitretry.provision.Settings;
import io.github.rabbitretry.provision.Shared;

/**
 * Chooses among the ways to a broker. A forced way is the only one that is tried, a named
 * broker too: falling back from it would test another broker than the one that was asked
 * for.
 */
record BrokerChooser(Settings settings, List<BrokerProvider> providers) {

	static final Shared<Broker> SHARED = new Shared<>(Broker.class, Broker::start);

	BrokerChooser {
		BrokerVersion.asked(settings);
	}

	/** What a cluster's nodes are started from. */
	Installation installation() {
		Chooser chooser = new Chooser();
		if (forced().isEmpty() && this.settings.get(Setting.BROKER).isPresent()) {
			// another broker than the one that was asked for would be tested
			chooser.passOver("named", "%s names a broker, which is no cluster of ours".formatted(Setting.BROKER));
			throw NoBrokerException.ofCluster(chooser);
		}
		return chooser.firstOf(candidates(), BrokerProvider::name, (provider) -> provider.installation(this.settings))
			.orElseThrow(() -> NoBrokerException.ofCluster(chooser));
	}

	Broker start() {
		Chooser chooser = new Chooser();
		if (forced().isEmpty()) {
			if (this.settings.get(Setting.BROKER).isPresent()) {
				return NamedBroker.of(this.settings);
			}
			chooser.passOver("named", Setting.BROKER + " is not set");
		}
		return chooser.firstOf(candidates(), BrokerProvider::name, (provider) -> provider.start(this.settings))
			.orElseThrow(() -> NoBrokerException.of(chooser));
	}

	private Optional<String> forced() {
		return this.settings.get(Setting.WAY);
	}

	private List<BrokerProvider> candidates() {
		return forced().map((name) -> List.of(byName(name))).orElse(this.providers);
	}

	private BrokerProvider byName(String name) {
		return this.providers.stream()
			.filter((provider) -> provider.name().equals(name))
			.findFirst()
			.orElseThrow(() -> new NoBrokerException(
					"%s is '%s', which is not one of %s. Set it to one of them or unset it".formatted(Setting.WAY, name,
							String.join(", ", this.providers.stream().map(BrokerProvider::name).toList()))));
	}

}
