/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.broker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All that one node has on disk. The supervisor removes it.
 */
record NodeFolder(Path path) {

	private static final int TAIL = 30;

	static NodeFolder create(NodeIdentity identity) throws IOException {
		Ports ports = identity.ports();
		NodeFolder folder = new NodeFolder(Files.createTempDirectory("rabbit-retry-").toRealPath());
		for (String name : List.of("home", "data", "log", "schema")) {
			Files.createDirectory(folder.path.resolve(name));
		}
		folder.writeCookie(identity.cookie());
		Files.writeString(folder.path.resolve("enabled_plugins"),
				"[rabbitmq_management,rabbitmq_prometheus,rabbitmq_shovel].\n");
		Files.writeString(folder.path.resolve("rabbitmq.conf"), """
				listeners.tcp.default = 127.0.0.1:%s
				management.tcp.ip = 127.0.0.1
				management.tcp.port = %s
				prometheus.tcp.ip = 127.0.0.1
				prometheus.tcp.port = %s
				disk_free_limit.absolute = 50MB
				log.file.level = info
				""".formatted(ports.amqp(), ports.management(), ports.prometheus()) + identity.configuration());
		return folder;
	}

	private void writeCookie(String value) throws IOException {
		Path cookie = this.path.resolve("home").resolve(".erlang.cookie");
		Files.createFile(cookie, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
		Files.writeString(cookie, value);
		Files.setPosixFilePermissions(cookie, PosixFilePermissions.fromString("r--------"));
	}

	/** The last lines of all logs, for the message of a failure. */
	String lastWords() {
		try (Stream<Path> files = Files.list(this.path.resolve("log"))) {
			return files.filter(Files::isRegularFile).sorted().map(this::tail).collect(Collectors.joining());
		}
		catch (IOException ex) {
			return "(no log: " + ex + ")";
		}
	}

	private String tail(Path file) {
		try {
			List<String> lines = Files.readAllLines(file);
			return file.getFileName() + ":\n"
					+ lines.stream().skip(Math.max(0, lines.size() - TAIL)).collect(Collectors.joining("\n")) + "\n";
		}
		catch (IOException ex) {
			return file.getFileName() + ": " + ex + "\n";
		}
	}

}
