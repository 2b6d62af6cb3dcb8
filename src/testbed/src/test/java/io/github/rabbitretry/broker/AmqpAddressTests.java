/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.broker;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class AmqpAddressTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			amqp://127.0.0.1                    | false | 127.0.0.1 | 5672 | guest | guest | /
			amqp://127.0.0.1/                   | false | 127.0.0.1 | 5672 | guest | guest | /
			amqp://a:b@host:1234/orders         | false | host      | 1234 | a     | b     | orders
			amqp://a:b@host/%2F                 | false | host      | 5672 | a     | b     | /
			amqp://a%40x:p%3Aq%2B+@host/a%2Fb   | false | host      | 5672 | a@x   | p:q++ | a/b
			amqps://host                        | true  | host      | 5671 | guest | guest | /
			amqp://rabbit_mq:5673               | false | rabbit_mq | 5673 | guest | guest | /
			amqp://[::1]:5673                   | false | [::1]     | 5673 | guest | guest | /
			""")
	void readsAllParts(String uri, boolean tls, String host, int port, String username, String password,
			String virtualHost) {
		assertThat(AmqpAddress.parse(uri)).isEqualTo(new AmqpAddress(tls, host, port, username, password, virtualHost));
	}

	@ParameterizedTest
	@CsvSource({ "amqp://a:b@host:1234, amqp://a:b@host:1234", "amqp://host/, amqp://guest:guest@host:5672",
			"amqp://a%40x:p%3Aq@host/a%2Fb, amqp://a%40x:p%3Aq@host:5672/a%2Fb" })
	void writesThemWithCredentialsAndAPathOnlyForAVirtualHostOfItsOwn(String uri, String written) {
		assertThat(AmqpAddress.parse(uri).uri()).hasToString(written);
	}

	@ParameterizedTest
	@ValueSource(strings = { "http://a:secret@host", "amqp://", "host:5672", "amqp://a:secret@host:port" })
	void refusesWhatIsNoAmqpUriWithoutTellingThePassword(String uri) {
		assertThatIllegalArgumentException().isThrownBy(() -> AmqpAddress.parse(uri))
			.withMessageContaining("is not an AMQP URI. Write it as amqp://user:password@host:port/vhost")
			.withMessageNotContaining("secret");
	}

}
