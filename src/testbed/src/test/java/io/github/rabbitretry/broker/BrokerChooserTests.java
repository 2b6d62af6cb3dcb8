/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.broker;

import java.net.ServerSocket;
import java.util.Arrays;
import java.util.List;

import io.github.rabbitretry.provision.PassedOverException;
import io.github.rabbitretry.provision.Settings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class BrokerChooserTests {

	/** What works on the machine, what is forced, and which way is taken. */
	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			docker installed unpacked | ''        | docker
			installed unpacked        | ''        | installed
			unpacked                  | ''        | unpacked
			docker installed unpacked | installed | installed
			docker installed unpacked | unpacked  | unpacked
			docker unpacked           | docker    | docker
			""")
	void takesTheFirstWayThatWorksUnlessOneIsForced(String working, String forced, String taken) {
		Broker broker = new BrokerChooser(TestSettings.of("RABBIT_RETRY_BROKER_WAY=" + forced), providers(working))
			.start();
		assertThat(broker.version()).isEqualTo(taken);
	}

	@Test
	void tellsOfEachWayWhyItWasPassedOver() {
		assertThatExceptionOfType(NoBrokerException.class)
			.isThrownBy(() -> new BrokerChooser(TestSettings.of(), providers("")).start())
			.withMessage("""
					No RabbitMQ to be had. Each way was passed over:
					  named: RABBIT_RETRY_BROKER_URL is not set
					  docker: no docker here
					  installed: no installed here
					  unpacked: no unpacked here
					Start Docker, or install RabbitMQ 4.0 or later, or name a running broker: \
					RABBIT_RETRY_BROKER_URL=amqp://user:password@host:port/vhost""");
	}

	@Test
	void doesNotLeaveAForcedWayForAnother() {
		assertThatExceptionOfType(NoBrokerException.class)
			.isThrownBy(
					() -> new BrokerChooser(TestSettings.of("RABBIT_RETRY_BROKER_WAY=docker"), providers("unpacked"))
						.start())
			.withMessageContaining("docker: no docker here")
			.withMessageNotContaining("unpacked");
	}

	@Test
	void refusesAWayThatItDoesNotKnow() {
		assertThatExceptionOfType(NoBrokerException.class)
			.isThrownBy(
					() -> new BrokerChooser(TestSettings.of("RABBIT_RETRY_BROKER_WAY=podman"), providers("")).start())
			.withMessage("RABBIT_RETRY_BROKER_WAY is 'podman', which is not one of docker, installed, unpacked. "
					+ "Set it to one of them or unset it");
	}

	@Test
	void refusesAVersionThatItDoesNotKnowBeforeAnyWayIsTried() {
		assertThatExceptionOfType(NoBrokerException.class)
			.isThrownBy(
					() -> new BrokerChooser(TestSettings.of("RABBIT_RETRY_BROKER_VERSION=3.13"), providers("docker"))
						.start())
			.withMessage("RABBIT_RETRY_BROKER_VERSION is '3.13', which is not one of 4.0, 4.3. "
					+ "Set it to one of them or unset it");
	}

	@Test
	void doesNotLeaveANamedBrokerThatDoesNotAnswerForAnother() throws Exception {
		int port;
		try (ServerSocket socket = new ServerSocket(0)) {
			port = socket.getLocalPort();
		}
		Settings settings = TestSettings.of("RABBIT_RETRY_BROKER_URL=amqp://me:secret@127.0.0.1:" + port);
		assertThatExceptionOfType(NoBrokerException.class)
			.isThrownBy(() -> new BrokerChooser(settings, providers("docker")).start())
			.withMessageContaining("127.0.0.1:" + port + ", named by RABBIT_RETRY_BROKER_URL, does not answer")
			.withMessageNotContaining("secret");
	}

	@Test
	void startsNoClusterNextToANamedBroker() {
		assertThatExceptionOfType(NoBrokerException.class)
			.isThrownBy(() -> new BrokerChooser(TestSettings.of("RABBIT_RETRY_BROKER_URL=amqp://127.0.0.1"),
					providers("docker"))
				.installation())
			.withMessageContaining("named: RABBIT_RETRY_BROKER_URL names a broker, which is no cluster of ours")
			.withMessageContaining("leave out -Pproof");
	}

	@Test
	void startsNoClusterInDocker() {
		assertThatExceptionOfType(NoBrokerException.class)
			.isThrownBy(() -> new BrokerChooser(TestSettings.of("RABBIT_RETRY_BROKER_WAY=docker"), providers("docker"))
				.installation())
			.withMessageContaining("docker: starts single brokers only, no cluster")
			.withMessageContaining("A cluster needs private nodes");
	}

	private static List<BrokerProvider> providers(String working) {
		List<String> names = Arrays.asList(working.split(" "));
		return List.of(provider("docker", names), provider("installed", names), provider("unpacked", names));
	}

	private static BrokerProvider provider(String name, List<String> working) {
		return new BrokerProvider() {

			@Override
			public String name() {
				return name;
			}

			@Override
			public Broker start(Settings settings) throws PassedOverException {
				if (!working.contains(name)) {
					throw new PassedOverException("no " + name + " here");
				}
				return new NamedBroker(AmqpAddress.local(1), null, name);
			}

		};
	}

}
