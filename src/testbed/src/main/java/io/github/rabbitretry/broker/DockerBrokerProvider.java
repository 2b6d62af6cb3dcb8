/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.broker;

import java.util.Optional;

import io.github.rabbitretry.provision.PassedOverException;
import io.github.rabbitretry.provision.Setting;
import io.github.rabbitretry.provision.Settings;
import org.testcontainers.DockerClientFactory;

/**
 * A container of RabbitMQ's official image with the management plugin.
 */
final class DockerBrokerProvider implements BrokerProvider {

	@Override
	public String name() {
		return "docker";
	}

	@Override
	public Broker start(Settings settings) throws PassedOverException {
		Optional<String> none = DockerSocket.reasonForNone(settings);
		if (none.isPresent()) {
			throw new PassedOverException(none.get());
		}
		engine();
		String image = image(settings);
		try {
			DockerImage.ensure(image);
			return startOnFreePorts(image);
		}
		catch (RuntimeException ex) {
			throw new PassedOverException("no container of the image %s: %s".formatted(image, innermost(ex)), ex);
		}
	}

	/**
	 * Testcontainers also starts helpers, such as Ryuk: without their images it does not
	 * answer {@code false} but throws.
	 */
	private static void engine() throws PassedOverException {
		try {
			if (DockerClientFactory.instance().isDockerAvailable()) {
				return;
			}
		}
		catch (RuntimeException ex) {
			throw new PassedOverException("Testcontainers can't use the Docker engine: " + innermost(ex), ex);
		}
		throw new PassedOverException("no Docker engine answers");
	}

	/** Between the choice of a port and its use another process may have taken it. */
	private static Broker startOnFreePorts(String image) {
		try {
			return DockerBroker.start(image);
		}
		catch (RuntimeException ex) {
			if (!innermost(ex).matches("(?si).*(port is already allocated|address already in use).*")) {
				throw ex;
			}
			return DockerBroker.start(image);
		}
	}

	static String image(Settings settings) {
		return settings.get(Setting.IMAGE)
			.orElseGet(() -> "rabbitmq:" + BrokerVersion.of(settings).label + "-management");
	}

	/** Testcontainers wraps several times; the reason is at the bottom. */
	private static String innermost(Throwable failure) {
		Throwable innermost = failure;
		for (int depth = 0; innermost.getCause() != null && depth < 32; depth++) {
			innermost = innermost.getCause();
		}
		return String.valueOf((innermost.getMessage() != null) ? innermost.getMessage() : innermost);
	}

}
