/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.util.ArrayList;
import java.util.List;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Starts an application against the broker of this JVM, as {@code main} would.
 */
public final class TestApplication {

	private TestApplication() {
	}

	/**
	 * Starts.
	 * @param configuration the application's class
	 * @param properties properties, {@code key=value}
	 * @return the running application
	 */
	public static ConfigurableApplicationContext start(Class<?> configuration, String... properties) {
		List<String> arguments = new ArrayList<>(TestBroker.arguments());
		for (String property : properties) {
			arguments.add("--" + property);
		}
		return new SpringApplicationBuilder(configuration).web(WebApplicationType.NONE)
			.run(arguments.toArray(String[]::new));
	}

}
