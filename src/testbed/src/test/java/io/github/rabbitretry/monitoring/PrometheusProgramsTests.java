/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.monitoring;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;

import io.github.rabbitretry.provision.Settings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class PrometheusProgramsTests {

	@TempDir
	Path folder;

	@Test
	void areThoseOfTheFolderThatIsNamed() throws Exception {
		makePrograms();
		assertThat(find(Map.of("RABBIT_RETRY_PROMETHEUS", this.folder.toString())).folder()).isEqualTo(this.folder);
	}

	@Test
	void areLookedForNowhereElseIfAFolderIsNamed() {
		assertThatExceptionOfType(NoPrometheusException.class)
			.isThrownBy(() -> find(Map.of("RABBIT_RETRY_PROMETHEUS", "/nowhere")))
			.withMessageContaining("/nowhere")
			.withMessageContaining("unset it");
	}

	@Test
	void areThoseOnThePathElse() throws Exception {
		makePrograms();
		assertThat(find(Map.of("PATH", this.folder.toString())).folder()).isEqualTo(this.folder);
	}

	@Test
	void areMissedWithTheReasonOfEachWay() {
		assertThatExceptionOfType(NoPrometheusException.class)
			.isThrownBy(() -> find(Map.of("PATH", "/nowhere", "RABBIT_RETRY_CACHE", this.folder.toString())))
			.withMessageContaining("named: RABBIT_RETRY_PROMETHEUS is not set")
			.withMessageContaining("installed: no prometheus")
			.withMessageContaining("unpacked: only on Debian and Ubuntu");
	}

	private PrometheusPrograms find(Map<String, String> environment) {
		return PrometheusPrograms.find(new Settings(environment, new Properties()),
				new UnpackedPrometheus(this.folder));
	}

	private void makePrograms() throws Exception {
		for (String program : new String[] { "prometheus", "promtool" }) {
			assertThat(Files.createFile(this.folder.resolve(program)).toFile().setExecutable(true)).isTrue();
		}
	}

}
