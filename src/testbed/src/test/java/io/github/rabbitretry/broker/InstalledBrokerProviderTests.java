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

import io.github.rabbitretry.provision.PassedOverException;
import io.github.rabbitretry.provision.Settings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class InstalledBrokerProviderTests {

	@TempDir
	Path machine;

	@Test
	void findsTheKnownPlaceFirstAndReadsTheVersionOfItsFiles() throws Exception {
		Path known = install("known", "rabbit-4.0.5");
		Path other = install("other", "rabbit-4.3.6.ez");
		Installation found = new InstalledBrokerProvider(List.of(known)).find(TestSettings.of("PATH=" + other));
		assertThat(found.server()).isEqualTo(known.resolve("rabbitmq-server"));
		assertThat(found.version()).isEqualTo("4.0.5");
	}

	@Test
	void findsOneOnPathThroughItsLink() throws Exception {
		Path real = install("cellar", "rabbit-4.3.6");
		Path linked = Files.createDirectory(this.machine.resolve("bin"));
		Files.createSymbolicLink(linked.resolve("rabbitmq-server"), real.resolve("rabbitmq-server"));
		Installation found = nowhereKnown().find(TestSettings.of("PATH=/nowhere:" + linked));
		assertThat(found.version()).isEqualTo("4.3.6");
		assertThat(found.tool("rabbitmqctl")).isEqualTo(real.resolve("rabbitmqctl"));
	}

	@Test
	void passesOverAVersionBelowFour() throws Exception {
		Path old = install("old", "rabbit-3.10.8");
		assertPassedOver(TestSettings.of("PATH=" + old), "is version 3.10.8, below 4.0");
	}

	@Test
	void passesOverAnotherVersionThanTheOneAskedFor() throws Exception {
		Path installed = install("installed", "rabbit-4.1.2");
		assertPassedOver(TestSettings.of("PATH=" + installed, "RABBIT_RETRY_BROKER_VERSION=4.3"),
				"is version 4.1.2, but RABBIT_RETRY_BROKER_VERSION asks for 4.3");
		assertThat(nowhereKnown().find(TestSettings.of("PATH=" + installed)).version()).isEqualTo("4.1.2");
	}

	@Test
	void passesOverAMachineWithout() {
		assertPassedOver(TestSettings.of("PATH=/nowhere"), "no rabbitmq-server in");
	}

	private void assertPassedOver(Settings settings, String reason) {
		assertThatExceptionOfType(PassedOverException.class).isThrownBy(() -> nowhereKnown().find(settings))
			.withMessageContaining(reason);
	}

	private InstalledBrokerProvider nowhereKnown() {
		return new InstalledBrokerProvider(List.of(this.machine.resolve("nowhere")));
	}

	private Path install(String name, String core) throws IOException {
		Path home = this.machine.toRealPath().resolve(name);
		Files.createDirectories(home.resolve("plugins").resolve("rabbit_common-9.9.9"));
		Files.createDirectories(home.resolve("plugins").resolve(core));
		Path server = Files.createDirectories(home.resolve("sbin")).resolve("rabbitmq-server");
		Files.writeString(server, "#!/bin/sh\n");
		assertThat(server.toFile().setExecutable(true)).isTrue();
		return home.resolve("sbin");
	}

}
