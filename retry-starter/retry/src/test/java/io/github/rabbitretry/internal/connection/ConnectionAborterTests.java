/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.connection;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

import org.junit.jupiter.api.Test;

import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

class ConnectionAborterTests {

	@Test
	void aConnectionThatNothingAnswersIsGivenUpAtOnceWhenTheApplicationStops() throws Exception {
		try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
				GenericApplicationContext application = new GenericApplicationContext()) {
			ConnectionAborter aborter = new ConnectionAborter(new StopDeadline(Duration.ofSeconds(20)));
			aborter.setApplicationContext(application);
			CachingConnectionFactory factory = new CachingConnectionFactory(silent.getInetAddress().getHostAddress(),
					silent.getLocalPort());
			aborter.watch(factory);
			CompletableFuture<?> opening = CompletableFuture.supplyAsync(factory::createConnection);
			try (Socket accepted = silent.accept()) {
				assertThat(accepted.getInputStream().readNBytes(4)).asString().isEqualTo("AMQP");
				aborter.onApplicationEvent(new ContextClosedEvent(application));
				// the client waits for five seconds
				assertThat(opening).failsWithin(Duration.ofSeconds(3)).withThrowableOfType(ExecutionException.class);
			}
			factory.destroy();
		}
	}

}
