/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.broker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import io.github.rabbitretry.provision.PassedOverException;
import io.github.rabbitretry.provision.Setting;
import io.github.rabbitretry.provision.Settings;

/**
 * A {@code rabbitmq-server} of this machine, started as a private node; a broker that
 * runs from it already is left alone.
 */
final class InstalledBrokerProvider implements BrokerProvider {

	private static final String SERVER = "rabbitmq-server";

	private static final int OLDEST_MAJOR = 4;

	private final List<Path> known;

	InstalledBrokerProvider() {
		// where Debian's and RPM packages have it; the one on PATH insists on its own
		// user
		this(List.of(Path.of("/usr/lib/rabbitmq/bin")));
	}

	InstalledBrokerProvider(List<Path> known) {
		this.known = known;
	}

	@Override
	public String name() {
		return "installed";
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
		Path server = server(settings).orElseThrow(
				() -> new PassedOverException("no rabbitmq-server in %s or on PATH".formatted(this.known.get(0))));
		String version = Installation.versionOf(server)
			.orElseThrow(() -> new PassedOverException(
					"the version of %s is not known: no core in ../plugins".formatted(server)));
		if (Integer.parseInt(version.split("\\.")[0]) < OLDEST_MAJOR) {
			throw new PassedOverException("%s is version %s, below 4.0".formatted(server, version));
		}
		Optional<BrokerVersion> asked = BrokerVersion.asked(settings);
		if (asked.isPresent() && !asked.get().matches(version)) {
			throw new PassedOverException("%s is version %s, but %s asks for %s".formatted(server, version,
					Setting.VERSION, asked.get().label));
		}
		return new Installation(server, version, "of the installed " + server, Map.of());
	}

	private Optional<Path> server(Settings settings) {
		return Stream
			.concat(this.known.stream().map((folder) -> folder.resolve(SERVER)).filter(Files::isExecutable),
					settings.onPath(SERVER))
			.findFirst()
			.map(InstalledBrokerProvider::resolved);
	}

	private static Path resolved(Path server) {
		try {
			return server.toRealPath();
		}
		catch (IOException ex) {
			return server;
		}
	}

}
