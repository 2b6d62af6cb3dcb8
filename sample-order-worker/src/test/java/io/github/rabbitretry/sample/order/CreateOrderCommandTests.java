/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.order;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

class CreateOrderCommandTests {

	@ParameterizedTest
	@ValueSource(ints = { 1, 2 })
	void supportedSchemaVersionsAreAccepted(int version) {
		assertThatNoException().isThrownBy(() -> command(version).requireSchemaUpTo(2));
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 3, 9 })
	void otherSchemaVersionsAreRefused(int version) {
		assertThatExceptionOfType(UnsupportedSchemaVersionException.class)
			.isThrownBy(() -> command(version).requireSchemaUpTo(2))
			.withMessageContaining("schema version " + version);
	}

	@Test
	void theRefusalTellsWhatIsSupported() {
		assertThatExceptionOfType(UnsupportedSchemaVersionException.class)
			.isThrownBy(() -> command(9).requireSchemaUpTo(2))
			.withMessageEndingWith("only 1 to 2");
	}

	@Test
	void theNextReleaseSupportsMore() {
		assertThatNoException().isThrownBy(() -> command(3).requireSchemaUpTo(3));
	}

	private static CreateOrderCommand command(int version) {
		return new CreateOrderCommand(version, "1", "customer-1", "SKU-1", 1);
	}

}
