/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Objects;

import io.github.rabbitretry.it.BootRabbit;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.ArgumentResolver;
import org.springframework.core.io.support.SpringFactoriesLoader.FailureHandler;

/**
 * Starts applications without a broker, and explains starts that failed as Boot does.
 */
public final class StartReport {

	private StartReport() {
	}

	/**
	 * An application with Boot's and our auto-configuration, and no broker.
	 * @return the runner
	 */
	public static ApplicationContextRunner application() {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(BootRabbit.AUTO_CONFIGURATION, RabbitRetryAutoConfiguration.class,
					RabbitRetryHandlerAutoConfiguration.class, RabbitRetryPropertiesAutoConfiguration.class))
			.withPropertyValues("spring.rabbitmq.host=127.0.0.1", "spring.rabbitmq.port=" + closedPort(),
					"spring.rabbitmq.listener.simple.auto-startup=false",
					"spring.rabbitmq.listener.direct.auto-startup=false",
					"rabbit-retry.dead-letter-consumer.enabled=false", "rabbit-retry.topology.mode=none");
	}

	/**
	 * Explains a failure with the analyzers of all libraries.
	 * @param failure what the start threw
	 * @return the first explanation
	 */
	public static FailureAnalysis explain(Throwable failure) {
		return explain(failure, new StandardEnvironment());
	}

	/**
	 * Explains a failure with the analyzers of all libraries.
	 * @param failure what the start threw
	 * @param environment the application's properties
	 * @return the first explanation
	 */
	public static FailureAnalysis explain(Throwable failure, Environment environment) {
		List<FailureAnalyzer> analyzers = SpringFactoriesLoader.forDefaultResourceLocation()
			.load(FailureAnalyzer.class, ArgumentResolver.of(Environment.class, environment),
					FailureHandler.handleMessage((message, cause) -> {
					}));
		return analyzers.stream()
			.map((analyzer) -> analyzer.analyze(failure))
			.filter(Objects::nonNull)
			.findFirst()
			.orElseThrow(() -> new AssertionError("nothing explains", failure));
	}

	private static int closedPort() {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
