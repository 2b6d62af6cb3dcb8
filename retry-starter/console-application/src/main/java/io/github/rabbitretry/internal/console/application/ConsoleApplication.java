/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console.application;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;

/**
 * The operations application: shows and replays the parked messages of all services that
 * share a ledger. It declares and consumes nothing.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({ ServicesConfiguration.class, SecurityConfiguration.class, HomePage.class, LoginPage.class })
public class ConsoleApplication {

	/**
	 * Starts the application.
	 * @param arguments properties, {@code --server.port=8090}
	 */
	public static void main(String[] arguments) {
		SpringApplication.run(ConsoleApplication.class, arguments);
	}

}
