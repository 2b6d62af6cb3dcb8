/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.broker;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class ManagementAddressTests {

	@Test
	void takesTheCredentialsOfTheBrokerIfItHasNone() {
		assertThat(ManagementAddress.parse("http://host:15672", "me@here", "a$b"))
			.hasToString("http://me%40here:a%24b@host:15672");
		assertThat(ManagementAddress.parse("https://you:c@host/prefix", "me", "b"))
			.hasToString("https://you:c@host/prefix");
	}

	@Test
	void refusesWhatIsNoAddress() {
		assertThatExceptionOfType(NoBrokerException.class)
			.isThrownBy(() -> ManagementAddress.parse("host:15672", "me", "b"))
			.withMessageStartingWith("RABBIT_RETRY_BROKER_MANAGEMENT is not an address");
	}

	@Test
	void aNamedBrokerWithoutItSaysHowToNameIt() {
		Broker broker = new NamedBroker(AmqpAddress.local(1), null, "4.0.5");
		assertThat(broker.canControl()).isFalse();
		assertThatIllegalStateException().isThrownBy(broker::management)
			.withMessageContaining("Set RABBIT_RETRY_BROKER_MANAGEMENT to");
		assertThatIllegalStateException().isThrownBy(broker::kill).withMessageContaining("can't be controlled");
	}

}
