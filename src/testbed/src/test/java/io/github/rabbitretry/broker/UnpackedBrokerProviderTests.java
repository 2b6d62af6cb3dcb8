/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.broker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

import io.github.rabbitretry.provision.PassedOverException;
import io.github.rabbitretry.provision.Settings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class UnpackedBrokerProviderTests {

	@TempDir
	Path machine;

	@Test
	void takesWhatIsUnpackedAlreadyWithoutAMirrorOrTools() throws Exception {
		Path folder = unpacked("trixie", "4.0.5");
		Installation found = way().find(settings("PATH=/nowhere"));
		assertThat(found.version()).isEqualTo("4.0.5");
		assertThat(found.server()).startsWith(folder);
		assertThat(found.environment().get("PATH")).startsWith(folder + "/usr/lib/erlang/bin:");
	}

	@Test
	void takesTheSecondSuiteOfAVersionIfTheFirstIsNotToBeHad() throws Exception {
		unpacked("sid", "4.3.6");
		Installation found = way().find(settings("PATH=/nowhere", "RABBIT_RETRY_BROKER_VERSION=4.3"));
		assertThat(found.origin()).isEqualTo("unpacked from Debian sid");
	}

	@Test
	void doesNotTakeACacheThatWasMoved() throws Exception {
		Files.move(unpacked("sid", "4.0.5"), this.machine.resolve("trixie"));
		assertPassedOver(settings("PATH=/nowhere"), "only on Debian and Ubuntu; not found on PATH: bash, apt-get");
	}

	@Test
	void doesNotTakeASuiteThatWentOnToAnotherVersion() throws Exception {
		unpacked("forky", "4.4.1");
		assertPassedOver(settings("PATH=/nowhere", "RABBIT_RETRY_BROKER_VERSION=4.3"), "only on Debian and Ubuntu");
	}

	@Test
	void saysThatThereIsNoMirrorAndHowToNameOne() throws IOException {
		Path tools = Files.createDirectory(this.machine.resolve("bin"));
		for (String tool : new String[] { "bash", "apt-get", "dpkg-deb", "tar", "flock" }) {
			assertThat(Files.createFile(tools.resolve(tool)).toFile().setExecutable(true)).isTrue();
		}
		assertPassedOver(settings("PATH=" + tools),
				"no Debian mirror in apt's configuration in " + apt() + "; RABBIT_RETRY_DEBIAN_MIRROR can name one");
	}

	private void assertPassedOver(Settings settings, String reason) {
		assertThatExceptionOfType(PassedOverException.class).isThrownBy(() -> way().find(settings))
			.withMessageContaining(reason);
	}

	private UnpackedBrokerProvider way() {
		return new UnpackedBrokerProvider(apt());
	}

	private Path apt() {
		return this.machine.resolve("apt");
	}

	private Settings settings(String... variables) {
		return TestSettings.of(Stream.concat(Stream.of(variables), Stream.of("RABBIT_RETRY_CACHE=" + this.machine))
			.toArray(String[]::new));
	}

	private Path unpacked(String suite, String version) throws IOException {
		Path folder = this.machine.resolve(suite);
		Path scripts = Files
			.createDirectories(folder.resolve("usr/lib/rabbitmq/lib/rabbitmq_server-" + version + "/sbin"));
		Path server = Files.createFile(scripts.resolve("rabbitmq-server"));
		assertThat(server.toFile().setExecutable(true)).isTrue();
		Files.writeString(folder.resolve(".complete"), version + "\n" + folder + "\n");
		return folder;
	}

}
