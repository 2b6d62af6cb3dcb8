/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.browser;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;

import io.github.rabbitretry.provision.Settings;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ChromiumProgramsTests {

	@TempDir
	Path folder;

	private Path chromium;

	private Path driver;

	@BeforeEach
	void makePrograms() throws IOException {
		this.chromium = make("chromium");
		this.driver = make("chromedriver");
	}

	private Path make(String program) throws IOException {
		Path made = Files.createFile(this.folder.resolve(program));
		assertThat(made.toFile().setExecutable(true)).isTrue();
		return made;
	}

	private ChromiumPrograms find(Map<String, String> environment) {
		return ChromiumPrograms.find(new Settings(environment, new Properties()), new UnpackedChromium(this.folder));
	}

	@Test
	void areThoseThatAreNamed() {
		ChromiumPrograms programs = find(Map.of("RABBIT_RETRY_CHROMIUM", this.chromium.toString(),
				"RABBIT_RETRY_CHROMEDRIVER", this.driver.toString()));
		assertThat(programs).isEqualTo(new ChromiumPrograms(this.chromium, this.driver, Map.of()));
	}

	@Test
	void areNamedBothOrNone() {
		assertThatExceptionOfType(NoChromiumException.class).isThrownBy(
				() -> find(Map.of("RABBIT_RETRY_CHROMIUM", this.chromium.toString(), "PATH", this.folder.toString())))
			.withMessageContaining("RABBIT_RETRY_CHROMEDRIVER")
			.withMessageContaining("unset both");
	}

	@Test
	void areThoseOnThePathElse() {
		assertThat(find(Map.of("PATH", this.folder.toString())))
			.isEqualTo(new ChromiumPrograms(this.chromium, this.driver, Map.of()));
	}

	@Test
	void areMissedWithTheReasonOfEachWay() throws IOException {
		Files.delete(this.driver);
		assertThatExceptionOfType(NoChromiumException.class)
			.isThrownBy(() -> find(Map.of("PATH", this.folder.toString())))
			.withMessageContaining("named: RABBIT_RETRY_CHROMIUM and RABBIT_RETRY_CHROMEDRIVER are not set")
			.withMessageContaining("installed: no chromedriver on PATH")
			.withMessageContaining("unpacked: only on Debian and Ubuntu")
			.withMessageContaining("Install the packages chromium and chromium-driver");
	}

}
