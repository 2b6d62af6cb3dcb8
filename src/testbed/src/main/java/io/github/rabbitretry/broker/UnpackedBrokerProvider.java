/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.broker;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.github.rabbitretry.provision.PassedOverException;
import io.github.rabbitretry.provision.Settings;
import io.github.rabbitretry.provision.UnpackScript;

/**
 * Debian's packages, unpacked into a cache folder: nothing is installed, and nobody needs
 * to be root.
 */
final class UnpackedBrokerProvider implements BrokerProvider {

	private final Path apt;

	UnpackedBrokerProvider() {
		this(Path.of("/etc/apt"));
	}

	UnpackedBrokerProvider(Path apt) {
		this.apt = apt;
	}

	@Override
	public String name() {
		return "unpacked";
	}

	@Override
	public Broker start(Settings settings) throws PassedOverException {
		return NodeBroker.start(installation(settings));
	}

	@Override
	public Installation installation(Settings settings) throws PassedOverException {
		return find(settings);
	}

	Installation find(Settings settings) throws PassedOverException {
		List<String> reasons = new ArrayList<>();
		BrokerVersion version = BrokerVersion.of(settings);
		for (String name : version.suites) {
			try {
				return find(new DebianSuite(name, version, settings.cache().resolve(name)), settings);
			}
			catch (PassedOverException ex) {
				reasons.add(String.valueOf(ex.getMessage()));
			}
		}
		throw new PassedOverException(String.join("\n", reasons.stream().distinct().toList()));
	}

	private Installation find(DebianSuite suite, Settings settings) throws PassedOverException {
		Optional<Installation> cached = suite.installation();
		if (cached.isPresent()) {
			return cached.get();
		}
		new UnpackScript(UnpackedBrokerProvider.class, this.apt).run(settings, suite.name(), suite.version().label,
				suite.folder());
		return suite.installation()
			.orElseThrow(() -> new PassedOverException(
					"unpacking the suite %s left no rabbitmq-server in %s".formatted(suite.name(), suite.folder())));
	}

}
