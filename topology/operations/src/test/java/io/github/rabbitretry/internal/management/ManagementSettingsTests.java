/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.management;

import java.net.URI;
import java.util.Map;

import io.github.rabbitretry.internal.broker.ManagementAccess;
import io.github.rabbitretry.internal.declaration.DeclaredBrokerAccess;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.connection.SimpleRoutingConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ManagementSettingsTests {

	@Test
	void aPasswordIsNotSentWithoutTlsWhereTheConnectionMayHaveIt() {
		SimpleRoutingConnectionFactory wrapper = new SimpleRoutingConnectionFactory();
		wrapper.setDefaultTargetConnectionFactory(new CachingConnectionFactory(URI.create("amqps://127.0.0.1:1")));
		wrapper.setTargetConnectionFactories(Map.of());
		assertThatExceptionOfType(ManagementUnavailableException.class).isThrownBy(() -> of(wrapper, null))
			.withMessageContaining("whether it uses TLS");
		assertThat(of(wrapper, "https://broker:15671/").url()).isEqualTo("https://broker:15671");
	}

	private static ManagementSettings of(ConnectionFactory connections, @Nullable String url) {
		return ManagementSettings
			.of(new DeclaredBrokerAccess(connections, connections, new ManagementAccess(url, "reader", "secret")));
	}

}
