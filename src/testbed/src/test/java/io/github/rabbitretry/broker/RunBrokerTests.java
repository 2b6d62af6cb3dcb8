/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.broker;

import java.net.URI;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RunBrokerTests {

	@Test
	void printsWhatToPasteIntoTheShellOfAService() {
		assertThat(RunBroker.exports(URI.create("amqp://guest:guest@127.0.0.1:23594"), ManagementAddress.local(23595)))
			.containsExactly("export SPRING_RABBITMQ_ADDRESSES='amqp://guest:guest@127.0.0.1:23594'",
					"export RABBITRETRY_BROKER_MANAGEMENTURL='http://127.0.0.1:23595'");
	}

	@Test
	void printsNoManagementAddressForABrokerWithoutOne() {
		assertThat(RunBroker.exports(URI.create("amqp://127.0.0.1:5672"), null))
			.containsExactly("export SPRING_RABBITMQ_ADDRESSES='amqp://127.0.0.1:5672'");
	}

}
