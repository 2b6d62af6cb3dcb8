/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.database;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import io.github.rabbitretry.provision.PassedOverException;
import io.github.rabbitretry.provision.Settings;
import org.tukaani.xz.XZInputStream;

/**
 * Where the server's programs come from.
 */
interface Binaries {

	/**
	 * All ways, in the order in which they are tried.
	 * @return the way that needs least from the machine first
	 */
	static List<Binaries> all() {
		return List.of(new Embedded(), new Installed());
	}

	String name();

	/**
	 * Provides the programs.
	 * @param folder an empty folder to unpack into
	 * @param settings the settings
	 * @return the folder with {@code initdb} and {@code postgres}
	 */
	Path provide(Path folder, Settings settings) throws PassedOverException, IOException;

	/** Those that come with this module. */
	final class Embedded implements Binaries {

		@Override
		public String name() {
			return "embedded";
		}

		@Override
		public Path provide(Path folder, Settings settings) throws PassedOverException, IOException {
			String architecture = System.getProperty("os.arch").equals("aarch64") ? "arm_64" : "x86_64";
			String resource = "/postgres-linux-%s.txz".formatted(architecture);
			try (InputStream packed = Binaries.class.getResourceAsStream(resource)) {
				if (packed == null || !System.getProperty("os.name").equals("Linux")) {
					throw new PassedOverException("no binaries for this machine (%s, %s)"
						.formatted(System.getProperty("os.name"), System.getProperty("os.arch")));
				}
				Programs.run(List.of("tar", "-x", "--no-same-owner", "-C", folder.toString()),
						new XZInputStream(packed));
			}
			return folder.resolve("bin");
		}

	}

	/** Those of the machine, the newest. */
	final class Installed implements Binaries {

		private static final Path DEBIAN = Path.of("/usr/lib/postgresql");

		@Override
		public String name() {
			return "installed";
		}

		@Override
		public Path provide(Path folder, Settings settings) throws PassedOverException, IOException {
			return newest().or(() -> onThePath(settings))
				.orElseThrow(() -> new PassedOverException("neither below %s nor on the PATH".formatted(DEBIAN)));
		}

		private static Optional<Path> newest() throws IOException {
			if (!Files.isDirectory(DEBIAN)) {
				return Optional.empty();
			}
			try (Stream<Path> versions = Files.list(DEBIAN)) {
				return versions.filter((version) -> version.getFileName().toString().matches("\\d+"))
					.sorted((one, other) -> Integer.valueOf(other.getFileName().toString())
						.compareTo(Integer.valueOf(one.getFileName().toString())))
					.map((version) -> version.resolve("bin"))
					.filter((bin) -> Files.isExecutable(bin.resolve("postgres")))
					.findFirst();
			}
		}

		private static Optional<Path> onThePath(Settings settings) {
			return settings.onPath("postgres")
				.map(Path::getParent)
				.filter((bin) -> Files.isExecutable(bin.resolve("initdb")))
				.findFirst();
		}

	}

}
