/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.broker;

import java.net.URI;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * The broker of the whole JVM. Closing it does nothing, since a caller can't know who
 * else uses it: a dependency injection container that closes its beans would end it for
 * all. No shutdown hook stops it either: hooks run side by side, and the contexts that
 * close in theirs still talk to the broker. What was started ends by itself after the
 * JVM, as it does when the JVM is killed.
 */
final class SharedBroker implements Broker {

	private final Broker broker;

	private SharedBroker(Broker broker) {
		this.broker = broker;
	}

	static Broker get() {
		return Holder.broker();
	}

	@Override
	public URI amqpUri() {
		return this.broker.amqpUri();
	}

	@Override
	public Optional<URI> managementUri() {
		return this.broker.managementUri();
	}

	@Override
	public Optional<URI> prometheusUri() {
		return this.broker.prometheusUri();
	}

	@Override
	public String version() {
		return this.broker.version();
	}

	@Override
	public String description() {
		return this.broker.description();
	}

	@Override
	public boolean canControl() {
		return this.broker.canControl();
	}

	@Override
	public String ctl(String... rabbitmqctlArguments) {
		return this.broker.ctl(rabbitmqctlArguments);
	}

	@Override
	public void kill() {
		this.broker.kill();
	}

	@Override
	public void startAgain() {
		this.broker.startAgain();
	}

	@Override
	public Management management() {
		return this.broker.management();
	}

	@Override
	public void close() {
		// see above
	}

	/** Remembers a failure too, as a class initializer would hide its message. */
	private static final class Holder {

		private static @Nullable Broker broker;

		private static @Nullable NoBrokerException failure;

		static synchronized Broker broker() {
			if (failure != null) {
				throw new NoBrokerException(String.valueOf(failure.getMessage()), failure);
			}
			if (broker == null) {
				try {
					broker = new SharedBroker(Broker.start());
				}
				catch (NoBrokerException ex) {
					failure = ex;
					throw ex;
				}
			}
			return broker;
		}

	}

}
