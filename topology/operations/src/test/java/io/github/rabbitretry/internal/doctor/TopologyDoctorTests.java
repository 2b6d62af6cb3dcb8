/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.doctor;

import java.net.ConnectException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import io.github.rabbitretry.internal.declaration.DeclaredBrokerAccess;
import io.github.rabbitretry.internal.broker.ManagementAccess;
import io.github.rabbitretry.internal.operations.TestTypes;
import io.github.rabbitretry.internal.snapshot.ExpectedTopology;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.AmqpConnectException;
import org.springframework.amqp.rabbit.connection.AbstractRoutingConnectionFactory;
import org.springframework.amqp.rabbit.connection.Connection;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * How often a broker is asked.
 */
class TopologyDoctorTests {

	@Test
	void aBrokerThatDoesNotAnswerIsNotWaitedForByEachRequest() {
		AtomicInteger tried = new AtomicInteger();
		AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
		ConnectionFactory nobody = new AbstractRoutingConnectionFactory() {
			@Override
			public Connection createConnection() {
				tried.incrementAndGet();
				// as long as an attempt may take
				now.updateAndGet((before) -> before.plus(Duration.ofMinutes(1)));
				throw new AmqpConnectException(new ConnectException("nobody"));
			}

			@Override
			public String getVirtualHost() {
				return "/";
			}

			@Override
			protected Object determineCurrentLookupKey() {
				return "nobody";
			}
		};
		TopologyDoctor doctor = new TopologyDoctor(
				() -> ExpectedTopology.of(TestTypes.application(BrokenBroker.types(), true), "user"),
				new DeclaredBrokerAccess(nobody, nobody, new ManagementAccess("http://127.0.0.1:1", "user", "secret")),
				now::get);
		assertThatExceptionOfType(AmqpConnectException.class).isThrownBy(doctor::examine);
		assertThatExceptionOfType(AmqpConnectException.class).isThrownBy(doctor::examine);
		assertThat(tried).hasValue(1);
		now.updateAndGet((before) -> before.plus(Duration.ofSeconds(6)));
		assertThatExceptionOfType(AmqpConnectException.class).isThrownBy(doctor::examine);
		assertThat(tried).hasValue(2);
	}

}
