/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.broker;

import java.net.URI;
import java.util.Optional;

import io.github.rabbitretry.provision.Settings;

/**
 * A running RabbitMQ. Which one it is, is decided by {@link #start()}.
 */
public interface Broker extends AutoCloseable {

	/**
	 * Finds or starts a broker: the one named by {@code RABBIT_RETRY_BROKER_URL}, else
	 * one in Docker, else an installed one as a private node, else one unpacked from
	 * Debian's packages.
	 * @return a broker that answers; {@link #close()} stops what was started for it
	 * @throws NoBrokerException if there is none to be had, with the reason of each way
	 */
	static Broker start() {
		return new BrokerChooser(Settings.ofThisProcess(), BrokerProvider.all()).start();
	}

	/**
	 * The one broker of this JVM, started on first use and stopped when the JVM ends; its
	 * {@link #close()} does nothing.
	 * @return the same broker for every caller
	 * @throws NoBrokerException if there is none to be had, with the reason of each way
	 */
	static Broker shared() {
		return BrokerChooser.SHARED.get();
	}

	/**
	 * Where clients connect to.
	 * @return with credentials and virtual host; no path stands for the virtual host
	 * {@code /}
	 */
	URI amqpUri();

	/**
	 * The host of {@link #amqpUri()}.
	 * @return a name or an address
	 */
	default String host() {
		return AmqpAddress.parse(amqpUri().toString()).host();
	}

	/**
	 * The port of {@link #amqpUri()}.
	 * @return the port of AMQP 0-9-1
	 */
	default int port() {
		return AmqpAddress.parse(amqpUri().toString()).port();
	}

	/**
	 * The user of {@link #amqpUri()}.
	 * @return the user's name, decoded
	 */
	default String username() {
		return AmqpAddress.parse(amqpUri().toString()).username();
	}

	/**
	 * The password of {@link #amqpUri()}.
	 * @return the password, decoded
	 */
	default String password() {
		return AmqpAddress.parse(amqpUri().toString()).password();
	}

	/**
	 * The virtual host of {@link #amqpUri()}.
	 * @return the virtual host, decoded
	 */
	default String virtualHost() {
		return AmqpAddress.parse(amqpUri().toString()).virtualHost();
	}

	/**
	 * The management plugin's address.
	 * @return with credentials; empty if a named broker came without
	 */
	Optional<URI> managementUri();

	/**
	 * The broker's own metrics.
	 * @return the address to scrape; empty for a named broker
	 */
	Optional<URI> prometheusUri();

	/**
	 * The version as the broker reports it.
	 * @return such as {@code 4.0.5}
	 */
	String version();

	/**
	 * The broker in one line.
	 * @return the way it was had, its version and its ports
	 */
	String description();

	/**
	 * Whether {@link #ctl}, {@link #kill} and {@link #startAgain} work.
	 * @return {@code false} for a named broker
	 */
	boolean canControl();

	/**
	 * Runs {@code rabbitmqctl} on the node.
	 * @param rabbitmqctlArguments what follows {@code rabbitmqctl}
	 * @return what it printed
	 * @throws IllegalStateException if it fails, with what it printed, or if the broker
	 * is a named one
	 */
	String ctl(String... rabbitmqctlArguments);

	/**
	 * Raises or clears a memory alarm, and waits until it is in effect: the broker looks
	 * at its memory about once a second.
	 * @param raised whether there is to be an alarm
	 * @throws IllegalStateException if that takes longer than 30 seconds, or the broker
	 * is a named one
	 */
	default void memoryAlarm(boolean raised) {
		ctl("set_vm_memory_high_watermark", raised ? "0.000001" : "0.6");
		String await = "Wait = fun(_, 0) -> late; (Again, Left) -> case rabbit_alarm:get_alarms() =/= [] of %s -> there;"
				+ " _ -> timer:sleep(50), Again(Again, Left - 1) end end, Wait(Wait, 600).";
		String answer = ctl("-q", "eval", await.formatted(raised));
		if (!answer.contains("there")) {
			throw new IllegalStateException(
					"The memory alarm is not %s: %s".formatted(raised ? "raised" : "cleared", answer));
		}
	}

	/**
	 * Ends the node with SIGKILL and keeps its data. Does nothing to a node that does not
	 * run.
	 * @throws IllegalStateException if the broker is a named one
	 */
	void kill();

	/**
	 * Starts a killed node on the same ports with the same data, and waits until it
	 * answers. Does nothing to a node that runs.
	 * @throws IllegalStateException if the broker is a named one
	 */
	void startAgain();

	/**
	 * A client of the management plugin.
	 * @return a client with the credentials of {@link #managementUri()}
	 * @throws IllegalStateException if the management address is not known
	 */
	Management management();

	/**
	 * Stops what was started, and removes its data. A second call does nothing.
	 */
	@Override
	void close();

}
