/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.actuate;

import java.util.Map;

import io.github.rabbitretry.internal.actuate.EndpointException;
import io.github.rabbitretry.internal.actuate.EndpointRequest;
import io.github.rabbitretry.parking.message.ParkedFilter;
import io.github.rabbitretry.parking.message.ParkedState;
import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.endpoint.SecurityContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class FilterArgumentsTests {

	@Test
	void aStateThatThereIsNotIsAnsweredWithAllThatThereAre() {
		assertThatExceptionOfType(EndpointException.class).isThrownBy(() -> search("FOO"))
			.withMessage("'state' must be one of PARKED, REPLAYED, DISCARDED and ANY.");
		assertThat(search("any").state()).isNull();
		assertThat(search("replayed").state()).isEqualTo(ParkedState.REPLAYED);
	}

	@Test
	void aPartOfATextIsAskedForAsItWasTypedUnlessItIsBlank() {
		assertThat(ofText(" timed Out").text()).isEqualTo(" timed Out");
		assertThat(ofText("").text()).isNull();
		assertThatExceptionOfType(EndpointException.class).isThrownBy(() -> ofText("  "))
			.withMessage("'text' is blank. Leave it out, or give a part of a text.");
		assertThatExceptionOfType(EndpointException.class).isThrownBy(() -> ofText("x".repeat(256)))
			.withMessage("'text' has 256 characters. It may have 255.");
		assertThatExceptionOfType(EndpointException.class).isThrownBy(() -> ofText("a\u0000b"))
			.withMessage("'text' has control characters. Leave them out.");
	}

	private static ParkedFilter ofText(String text) {
		return new EndpointRequest(Map.of("text", text), SecurityContext.NONE).as(FilterArguments.class).filter(null);
	}

	private static ParkedFilter search(String state) {
		return new EndpointRequest(Map.of("queue", "q"), SecurityContext.NONE).as(FilterArguments.class).search(state);
	}

}
