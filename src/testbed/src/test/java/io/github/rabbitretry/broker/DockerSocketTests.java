/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.broker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.github.rabbitretry.provision.Settings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class DockerSocketTests {

	@TempDir
	Path home;

	@Test
	void looksCloserIfAnEngineIsNamed() {
		assertThat(DockerSocket.reasonForNone(TestSettings.of("HOME=" + this.home, "DOCKER_HOST=tcp://docker:2375")))
			.isEmpty();
	}

	@Test
	void looksCloserIfThereIsASocket() throws IOException {
		Files.createFile(this.home.resolve("docker.sock"));
		assertThat(DockerSocket.reasonForNone(TestSettings.of("HOME=" + this.home, "XDG_RUNTIME_DIR=" + this.home)))
			.isEmpty();
	}

	@Test
	void looksCloserIfTestcontainersKnowsAnEngineNotForItsFileAlone() throws IOException {
		Path file = this.home.resolve(".testcontainers.properties");
		Settings settings = TestSettings.of("HOME=" + this.home);
		Files.writeString(file, "docker.host = tcp\\://docker\\:2375\n");
		assertThat(DockerSocket.reasonForNone(settings)).isEmpty();
		Files.writeString(file, "#written by itself\n");
		if (!Files.exists(Path.of("/var/run/docker.sock"))) {
			assertThat(DockerSocket.reasonForNone(settings)).hasValueSatisfying(
					(reason) -> assertThat(reason).contains("DOCKER_HOST is not set and there is no Docker socket"));
		}
	}

}
