/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.broker;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;

import io.github.rabbitretry.provision.Setting;
import io.github.rabbitretry.provision.Settings;
import org.jspecify.annotations.Nullable;

/**
 * A broker run by others. It is inspected and used, never controlled or stopped.
 */
record NamedBroker(AmqpAddress address, @Nullable URI managementAddress, String version) implements Broker {

	private static final Duration TIMEOUT = Duration.ofSeconds(10);

	static NamedBroker of(Settings settings) {
		String uri = settings.get(Setting.BROKER).orElseThrow();
		AmqpAddress address = parse(uri);
		String version = reportedVersion(address);
		BrokerVersion.asked(settings).filter((asked) -> !asked.matches(version)).ifPresent((asked) -> {
			throw new NoBrokerException(
					"%s names a broker of version %s, but %s asks for %s. Change or unset one of them"
						.formatted(Setting.BROKER, version, Setting.VERSION, asked.label));
		});
		return new NamedBroker(address, management(settings, address), version);
	}

	private static AmqpAddress parse(String uri) {
		try {
			return AmqpAddress.parse(uri);
		}
		catch (IllegalArgumentException ex) {
			throw new NoBrokerException(Setting.BROKER + ": " + ex.getMessage(), ex);
		}
	}

	private static String reportedVersion(AmqpAddress address) {
		try {
			return AmqpGreeting.version(address, TIMEOUT);
		}
		catch (IOException ex) {
			throw new NoBrokerException("The broker at %s, named by %s, does not answer: %s. Start it or unset %s"
				.formatted(address.endpoint(), Setting.BROKER, ex, Setting.BROKER), ex);
		}
	}

	private static @Nullable URI management(Settings settings, AmqpAddress address) {
		return settings.get(Setting.MANAGEMENT)
			.map((uri) -> ManagementAddress.parse(uri, address.username(), address.password()))
			.orElse(null);
	}

	@Override
	public URI amqpUri() {
		return this.address.uri();
	}

	@Override
	public Optional<URI> managementUri() {
		return Optional.ofNullable(this.managementAddress);
	}

	@Override
	public Optional<URI> prometheusUri() {
		return Optional.empty();
	}

	@Override
	public String description() {
		return "RabbitMQ %s, named by %s, AMQP at %s".formatted(this.version, Setting.BROKER, this.address.endpoint());
	}

	@Override
	public boolean canControl() {
		return false;
	}

	@Override
	public String ctl(String... rabbitmqctlArguments) {
		throw notOurs();
	}

	@Override
	public void kill() {
		throw notOurs();
	}

	@Override
	public void startAgain() {
		throw notOurs();
	}

	@Override
	public Management management() {
		return ManagementAddress.client(managementUri().orElseThrow(() -> new IllegalStateException(
				"The management address of the broker at %s is not known. Set %s to http://user:password@host:port"
					.formatted(this.address.endpoint(), Setting.MANAGEMENT))));
	}

	@Override
	public void close() {
		// it is run by others
	}

	private IllegalStateException notOurs() {
		return new IllegalStateException(
				"The broker at %s is named by %s and can't be controlled. Unset it to have one started"
					.formatted(this.address.endpoint(), Setting.BROKER));
	}

}
