/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console.application;

import java.net.InetAddress;

import io.github.rabbitretry.internal.topology.InvalidConfigurationException;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * Refuses to be reached from elsewhere without a login.
 */
final class BoundAddresses implements BeanFactoryPostProcessor {

	static final String FORWARDED = "server.forward-headers-strategy";

	private static final String SERVER = "server.address";

	private final Environment environment;

	BoundAddresses(Environment environment) {
		this.environment = environment;
	}

	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
		if (Authentication.of(this.environment).required()) {
			return;
		}
		if (!isLoopback(SERVER)) {
			throw new InvalidConfigurationException(SERVER, this.environment.getProperty(SERVER, ""),
					"can be reached from other machines, and no login is configured: anybody could see, replay and discard messages",
					"Set %s.users, spring.security.user.password or an OAuth 2 client, or use 127.0.0.1, the default."
						.formatted(ConsoleUsers.PREFIX));
		}
		String forwarded = this.environment.getProperty(FORWARDED, "none");
		if (!forwarded.equalsIgnoreCase("none")) {
			throw new InvalidConfigurationException(FORWARDED, forwarded,
					"lets pages of other sites pretend to be on this machine, and no login is configured",
					"Configure a login, or leave it out.");
		}
	}

	/** A name counts as what it resolves to, which is what the server binds to. */
	private boolean isLoopback(String property) {
		try {
			InetAddress address = Binder.get(this.environment).bind(property, InetAddress.class).orElse(null);
			return address != null && address.isLoopbackAddress();
		}
		catch (BindException ex) {
			return false;
		}
	}

}
