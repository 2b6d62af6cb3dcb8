/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.browser;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.rabbitretry.provision.PassedOverException;
import io.github.rabbitretry.provision.Settings;
import io.github.rabbitretry.provision.UnpackScript;

/**
 * Chromium from Debian's packages, unpacked into the cache once with the libraries and
 * fonts that it needs. Only the libc is the machine's, which must be no older than the
 * suite's.
 *
 * @param apt the folder of apt's configuration
 */
record UnpackedChromium(Path apt) {

	private static final String SUITE = "bookworm";

	/** Without the libc, and without what is for logins and the hardware's graphics. */
	private static final String NEEDED = "chromium-common|fontconfig-config|fonts-dejavu-core"
			+ "|lib(?!c6$|pam|perl|.*-perl$|systemd-shared|llvm|z3-|gl1-mesa-dri).*";

	private static final List<String> FOLDERS = List.of("", "pulseaudio");

	/**
	 * Unpacks the programs, unless they are there already.
	 * @return the programs
	 */
	ChromiumPrograms unpack(Settings settings) throws PassedOverException {
		Path folder = settings.cache().resolve("chromium-" + SUITE);
		if (!Files.isDirectory(folder)) {
			new UnpackScript(UnpackScript.class, this.apt).run(settings, SUITE, "chromium chromium-driver", folder,
					NEEDED);
		}
		ChromiumPrograms programs = new ChromiumPrograms(folder.resolve("usr/lib/chromium/chromium"),
				folder.resolve("usr/bin/chromedriver"),
				Map.of("LD_LIBRARY_PATH", libraries(folder), "FONTCONFIG_SYSROOT", folder.toString()));
		if (!programs.complete()) {
			throw new PassedOverException("there is no complete Chromium in %s; delete it".formatted(folder));
		}
		return programs;
	}

	private static String libraries(Path folder) throws PassedOverException {
		try (Stream<Path> own = Files.list(folder.resolve("usr/lib"));
				Stream<Path> base = Files.list(folder.resolve("lib"))) {
			return Stream.concat(own, base)
				.filter((triplet) -> triplet.getFileName().toString().contains("-linux-"))
				.flatMap((triplet) -> FOLDERS.stream().map(triplet::resolve))
				.filter(Files::isDirectory)
				.map(Path::toString)
				.collect(Collectors.joining(File.pathSeparator));
		}
		catch (IOException ex) {
			throw new PassedOverException("the cache %s can't be read: %s".formatted(folder, ex), ex);
		}
	}

}
