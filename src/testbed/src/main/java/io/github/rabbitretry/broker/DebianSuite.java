/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.broker;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import io.github.rabbitretry.provision.PassedOverException;

/**
 * The packages of one Debian suite in their folder of the cache.
 */
record DebianSuite(String name, BrokerVersion version, Path folder) {

	/**
	 * What is unpacked already. The marker is written last and names the folder: a cache
	 * that was brought here from another place has other paths inside, and does not run.
	 */
	Optional<Installation> installation() throws PassedOverException {
		try {
			Path marker = this.folder.resolve(".complete");
			if (!Files.exists(marker)) {
				return Optional.empty();
			}
			List<String> lines = Files.readAllLines(marker);
			if (lines.size() < 2 || !lines.get(1).equals(this.folder.toString())
					|| !this.version.matches(lines.get(0))) {
				return Optional.empty();
			}
			Optional<Path> server = first("usr/lib/rabbitmq/lib", "rabbitmq_server-.*")
				.map((home) -> home.resolve("sbin").resolve("rabbitmq-server"))
				.filter(Files::isExecutable);
			if (server.isEmpty()) {
				return Optional.empty();
			}
			return Optional
				.of(new Installation(server.get(), lines.get(0), "unpacked from Debian " + this.name, environment()));
		}
		catch (IOException ex) {
			throw new PassedOverException("the cache %s can't be read: %s".formatted(this.folder, ex), ex);
		}
	}

	private Map<String, String> environment() throws IOException {
		Map<String, String> environment = new HashMap<>();
		environment.put("PATH", this.folder.resolve("usr/lib/erlang/bin") + File.pathSeparator + System.getenv("PATH"));
		try (Stream<Path> libraries = Files.list(this.folder.resolve("usr/lib"))) {
			libraries.map((library) -> library.resolve("ossl-modules"))
				.filter(Files::isDirectory)
				.findFirst()
				.ifPresent((modules) -> environment.put("OPENSSL_MODULES", modules.toString()));
		}
		return environment;
	}

	private Optional<Path> first(String parent, String name) throws IOException {
		try (Stream<Path> children = Files.list(this.folder.resolve(parent))) {
			return children.filter((child) -> child.getFileName().toString().matches(name)).sorted().findFirst();
		}
	}

}
