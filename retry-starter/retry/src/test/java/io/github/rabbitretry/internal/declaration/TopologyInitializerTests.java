/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.declaration;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.github.rabbitretry.internal.health.HealthProblem;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionListener;
import org.springframework.amqp.rabbit.connection.SimpleConnection;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Mode none, in which nothing is asked of the broker.
 */
@ExtendWith(OutputCaptureExtension.class)
class TopologyInitializerTests {

	private final List<ConnectionListener> listeners = new ArrayList<>();

	private final TopologyInitializer initializer = new TopologyInitializer(new CachingConnectionFactory() {

		@Override
		public void addConnectionListener(ConnectionListener listener) {
			TopologyInitializerTests.this.listeners.add(listener);
		}

	}, new MessagePolicies(List.of()), TopologyMode.NONE, new DefaultListableBeanFactory());

	@BeforeEach
	void start() {
		this.initializer.afterSingletonsInstantiated();
	}

	@Test
	void modeNoneSaysWhatItDoesNotGuarantee(CapturedOutput output) {
		assertThat(output).contains("mode: none guarantees nothing about queues, exchanges and bindings")
			.contains("'verify' checks that at startup");
		assertThat(this.initializer.problems()).isEmpty();
	}

	@Test
	void anUnsupportedBrokerIsReportedUntilAnotherOneIsConnectedTo(CapturedOutput output) {
		connect("3.10.8", 131_072);
		assertThat(this.initializer.problems()).extracting(HealthProblem::code).containsExactly("broker-unsupported");
		assertThat(this.initializer.problems().get(0).detail()).contains("3.10", "must be 4.0 or later");
		assertThat(output).contains("must be 4.0 or later");
		connect("4.0.5", 131_072);
		assertThat(this.initializer.problems()).isEmpty();
		connect("4.0.5", 4_096);
		assertThat(this.initializer.problems().get(0).detail()).contains("frame_max");
	}

	private void connect(String version, int frameMax) {
		com.rabbitmq.client.Connection connection = (com.rabbitmq.client.Connection) Proxy.newProxyInstance(
				getClass().getClassLoader(), new Class<?>[] { com.rabbitmq.client.Connection.class },
				(proxy, method, arguments) -> switch (method.getName()) {
					case "getServerProperties" -> Map.of("version", version);
					case "getFrameMax" -> frameMax;
					default -> throw new UnsupportedOperationException(method.getName());
				});
		this.listeners.forEach((listener) -> listener.onCreate(new SimpleConnection(connection, 0)));
	}

}
