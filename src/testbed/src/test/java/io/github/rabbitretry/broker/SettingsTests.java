/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.broker;

import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;

import io.github.rabbitretry.provision.Settings;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SettingsTests {

	@Test
	void aSystemPropertyWinsOverTheEnvironment() {
		Properties properties = new Properties();
		properties.setProperty("rabbit-retry.broker.version", "4.3");
		Settings settings = new Settings(Map.of("RABBIT_RETRY_BROKER_VERSION", "4.0"), properties);
		assertThat(BrokerVersion.of(settings)).isEqualTo(BrokerVersion.V4_3);
	}

	@Test
	void aBlankValueIsNone() {
		Settings settings = TestSettings.of("RABBIT_RETRY_BROKER_VERSION= ");
		assertThat(BrokerVersion.asked(settings)).isEmpty();
		assertThat(BrokerVersion.of(settings)).isEqualTo(BrokerVersion.V4_0);
	}

	@Test
	void findsTheCacheWhereOneIsNamedElseWhereTheUserKeepsCaches() {
		assertThat(TestSettings.of("HOME=/h", "XDG_CACHE_HOME=/x", "RABBIT_RETRY_CACHE=/c").cache())
			.isEqualTo(Path.of("/c"));
		assertThat(TestSettings.of("HOME=/h", "XDG_CACHE_HOME=/x").cache()).isEqualTo(Path.of("/x/rabbit-retry"));
		assertThat(TestSettings.of("HOME=/h").cache()).isEqualTo(Path.of("/h/.cache/rabbit-retry"));
	}

	@Test
	void takesTheImageOfTheVersionUnlessOneIsNamed() {
		assertThat(DockerBrokerProvider.image(TestSettings.of())).isEqualTo("rabbitmq:4.0-management");
		assertThat(DockerBrokerProvider.image(TestSettings.of("RABBIT_RETRY_BROKER_VERSION=4.3")))
			.isEqualTo("rabbitmq:4.3-management");
		assertThat(DockerBrokerProvider.image(TestSettings.of("RABBIT_RETRY_BROKER_IMAGE=mine:1"))).isEqualTo("mine:1");
	}

}
