/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.console.application;

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

	static final String SERVER = "server.address";

	static final String MANAGEMENT = "management.server.address";

	private final Environment environment;

	BoundAddresses(Environment environment) {
		this.environment = environment;
	}

	static boolean hasManagementServer(Environment environment) {
		Integer port = environment.getProperty("management.server.port", Integer.class);
		return port != null && port >= 0 && !port.equals(environment.getProperty("server.port", Integer.class, 8080));
	}

	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
		if (!Authentication.of(this.environment).required()) {
			requireLoopback(SERVER);
			if (hasManagementServer(this.environment)) {
				requireLoopback(MANAGEMENT);
			}
		}
	}

	private void requireLoopback(String property) {
		if (!isLoopback(property)) {
			throw new InvalidConfigurationException(property, this.environment.getProperty(property, ""),
					"can be reached from other machines, and no login is configured: anybody could see, replay and discard messages",
					"Set %s.users, spring.security.user.password or an OAuth 2 client, or use 127.0.0.1, the default."
						.formatted(ConsoleUsers.PREFIX));
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
