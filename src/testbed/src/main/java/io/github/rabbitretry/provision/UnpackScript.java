/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.provision;

import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * A script {@code unpack.sh} that unpacks packages of a Debian suite into a folder of the
 * cache: nothing is installed, and nobody needs to be root.
 *
 * @param owner the class beside which the script is
 * @param apt the folder of apt's configuration
 */
public record UnpackScript(Class<?> owner, Path apt) {

	private static final Logger logger = System.getLogger(UnpackScript.class.getName());

	private static final List<String> TOOLS = List.of("bash", "apt-get", "dpkg-deb", "tar", "flock");

	private static final Duration TIMEOUT = Duration.ofMinutes(20);

	private static final int REASON_LINES = 6;

	/**
	 * Runs it.
	 * @param settings may name a mirror, which else is that of apt's configuration
	 * @param suite the suite
	 * @param what the packages, or the version that they should have
	 * @param folder where to
	 * @param more what the script takes besides
	 * @throws PassedOverException if it can't run here, or fails
	 */
	public void run(Settings settings, String suite, String what, Path folder, String... more)
			throws PassedOverException {
		List<String> missing = TOOLS.stream().filter((tool) -> settings.onPath(tool).findAny().isEmpty()).toList();
		if (!missing.isEmpty()) {
			throw new PassedOverException(
					"only on Debian and Ubuntu; not found on PATH: " + String.join(", ", missing));
		}
		String mirror = settings.get(Setting.DEBIAN_MIRROR)
			.or(() -> AptSources.debianMirror(this.apt))
			.orElseThrow(() -> new PassedOverException("no Debian mirror in apt's configuration in %s; %s can name one"
				.formatted(this.apt, Setting.DEBIAN_MIRROR)));
		logger.log(Level.INFO, "Unpacking {0} from Debian {1} into {2}, once", what, suite, folder);
		try {
			Path script = Files.createTempFile("rabbit-retry-unpack-", ".sh");
			try {
				Files.write(script, text());
				List<String> command = new ArrayList<>(
						List.of("bash", script.toString(), suite, what, folder.toString()));
				command.addAll(List.of(more));
				ProcessBuilder builder = new ProcessBuilder(command);
				builder.environment().put("MIRROR", mirror);
				Command.Result result = Command.run(builder, TIMEOUT);
				if (result.failed()) {
					throw new PassedOverException(
							"unpacking from the suite %s failed: %s".formatted(suite, lastLines(result.output())));
				}
			}
			finally {
				Files.deleteIfExists(script);
			}
		}
		catch (IOException ex) {
			throw new PassedOverException("unpacking from the suite %s failed: %s".formatted(suite, ex), ex);
		}
	}

	private byte[] text() throws IOException {
		try (InputStream script = Objects.requireNonNull(this.owner.getResourceAsStream("unpack.sh"))) {
			return script.readAllBytes();
		}
	}

	private static String lastLines(String output) {
		List<String> lines = output.strip().lines().toList();
		return lines.stream().skip(Math.max(0, lines.size() - REASON_LINES)).collect(Collectors.joining("\n"));
	}

}
