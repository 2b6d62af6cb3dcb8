/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console.application;

import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

class BoundAddressesTests {

	private static final String LOGIN = "spring.security.user.password";

	private final MockEnvironment environment = new MockEnvironment();

	private void check() {
		new BoundAddresses(this.environment).postProcessBeanFactory(new DefaultListableBeanFactory());
	}

	@ParameterizedTest
	@ValueSource(strings = { "0.0.0.0", "::", "192.0.2.1", "fe80::1", "console.invalid", "" })
	void thatOtherMachinesReachAreRefusedWithoutALogin(String address) {
		this.environment.setProperty("server.address", address);
		assertThatExceptionOfType(InvalidConfigurationException.class).isThrownBy(this::check).satisfies((ex) -> {
			assertThat(ex.property()).isEqualTo("server.address");
			assertThat(ex.value()).isEqualTo(address);
			assertThat(ex.remedy()).contains("rabbit-retry.console.users", "127.0.0.1");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "127.0.0.1", "127.1.2.3", "::1", "localhost" })
	void ofThisMachineNeedNoLogin(String address) {
		this.environment.setProperty("server.address", address);
		assertThatNoException().isThrownBy(this::check);
	}

	@ParameterizedTest
	@ValueSource(strings = { LOGIN, "rabbit-retry.console.users.olivia.roles",
			"spring.security.oauth2.client.registration.company.client-id" })
	void mayBeAnyWithALogin(String login) {
		this.environment.setProperty("server.address", "0.0.0.0");
		this.environment.setProperty(login, "any");
		assertThatNoException().isThrownBy(this::check);
	}

	@Test
	void areThoseOfTheConnectionWithoutALogin() {
		this.environment.setProperty("server.address", "127.0.0.1");
		new ApplicationDefaults().postProcessEnvironment(this.environment, new SpringApplication());
		assertThat(this.environment.getProperty("server.forward-headers-strategy")).isEqualTo("none");
		assertThatNoException().isThrownBy(this::check);
		this.environment.setProperty("server.forward-headers-strategy", "native");
		assertThatExceptionOfType(InvalidConfigurationException.class).isThrownBy(this::check)
			.satisfies((ex) -> assertThat(ex.property()).isEqualTo("server.forward-headers-strategy"));
		this.environment.setProperty(LOGIN, "any");
		assertThatNoException().isThrownBy(this::check);
	}

	@ParameterizedTest
	@CsvSource({ "/actuator, ../logout", "/, logout", "'', logout", "/ops/actuator/, ../../logout" })
	void ofTheLogoutIsFoundFromThatOfTheEndpoints(String base, String logout) {
		this.environment.setProperty(LOGIN, "any");
		this.environment.setProperty("management.endpoints.web.base-path", base);
		new ApplicationDefaults().postProcessEnvironment(this.environment, new SpringApplication());
		assertThat(this.environment.getProperty("rabbit-retry.console.logout")).isEqualTo(logout);
	}

	@Test
	void failTheStart() {
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(() -> RunningConsole.start("server.address=0.0.0.0"));
	}

}
