/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.operations;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

import com.sun.net.httpserver.HttpServer;
import io.github.rabbitretry.internal.broker.BrokerPolicyMode;
import io.github.rabbitretry.internal.broker.BrokerPolicySettings;
import io.github.rabbitretry.internal.broker.ManagementAccess;
import io.github.rabbitretry.internal.declaration.DeclaredBrokerAccess;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

class ManagementInspectorTests {

	@Test
	void aBrokerThatDoesNotAnswerHidesNoUnsafePolicyOfAnother() throws IOException {
		HttpServer management = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		management.createContext("/", (exchange) -> {
			exchange.sendResponseHeaders(200, 2);
			exchange.getResponseBody().write("[]".getBytes());
			exchange.close();
		});
		management.start();
		try (ManagementInspector inspector = new ManagementInspector(
				new BrokerPolicySettings(BrokerPolicyMode.WARN, Duration.ofHours(1), false))) {
			inspector.beforeDeclaration(broker(1), List.of());
			assertThat(inspector.unsafePolicies()).isNaN();
			inspector.beforeDeclaration(broker(management.getAddress().getPort()), List.of());
			assertThat(inspector.unsafePolicies()).isZero();
		}
		finally {
			management.stop(0);
		}
	}

	private static DeclaredBrokerAccess broker(int port) {
		CachingConnectionFactory unreachable = new CachingConnectionFactory("127.0.0.1", 1);
		return new DeclaredBrokerAccess(unreachable, unreachable,
				new ManagementAccess("http://127.0.0.1:" + port, "user", "secret"));
	}

}
