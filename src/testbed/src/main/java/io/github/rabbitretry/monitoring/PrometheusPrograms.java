/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.monitoring;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.github.rabbitretry.provision.Chooser;
import io.github.rabbitretry.provision.Command;
import io.github.rabbitretry.provision.Setting;
import io.github.rabbitretry.provision.Settings;

/**
 * The programs {@code prometheus} and {@code promtool}.
 *
 * @param folder where both are
 */
public record PrometheusPrograms(Path folder) {

	private static final Duration TIMEOUT = Duration.ofMinutes(1);

	/**
	 * Finds the programs: in the folder that {@code RABBIT_RETRY_PROMETHEUS} names, else
	 * on the PATH, else unpacked from Debian's package.
	 * @return the programs
	 * @throws NoPrometheusException if there are none, with the reason of each way
	 */
	public static PrometheusPrograms find() {
		return find(Settings.ofThisProcess(), new UnpackedPrometheus(Path.of("/etc/apt")));
	}

	static PrometheusPrograms find(Settings settings, UnpackedPrometheus unpacked) {
		Optional<Path> named = settings.get(Setting.PROMETHEUS).map(Path::of);
		if (named.isPresent()) {
			return named.map(PrometheusPrograms::new)
				.filter(PrometheusPrograms::complete)
				.orElseThrow(() -> new NoPrometheusException(
						"The folder %s that %s names has no programs prometheus and promtool. Correct it, or unset it to have them unpacked"
							.formatted(named.get(), Setting.PROMETHEUS)));
		}
		Optional<PrometheusPrograms> installed = settings.onPath("prometheus")
			.map((program) -> new PrometheusPrograms(program.getParent()))
			.filter(PrometheusPrograms::complete)
			.findFirst();
		if (installed.isPresent()) {
			return installed.get();
		}
		Chooser chooser = new Chooser();
		chooser.passOver("named", Setting.PROMETHEUS + " is not set");
		chooser.passOver("installed", "no prometheus and promtool on PATH");
		return chooser
			.firstOf(List.of(unpacked), (way) -> "unpacked", (way) -> new PrometheusPrograms(way.unpack(settings)))
			.orElseThrow(() -> new NoPrometheusException(chooser.message("No Prometheus to test with",
					"Install the package prometheus, or name the folder of its programs with " + Setting.PROMETHEUS)));
	}

	boolean complete() {
		return Files.isExecutable(prometheus()) && Files.isExecutable(this.folder.resolve("promtool"));
	}

	Path prometheus() {
		return this.folder.resolve("prometheus");
	}

	/**
	 * Runs {@code promtool}.
	 * @param arguments what follows {@code promtool}
	 * @return its end
	 */
	public Command.Result promtool(String... arguments) {
		List<String> command = new ArrayList<>(List.of(this.folder.resolve("promtool").toString()));
		command.addAll(List.of(arguments));
		try {
			return Command.run(new ProcessBuilder(command), TIMEOUT);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
