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

	@Test
	void ofCausesThereMayBeManyButNoneIsBlank() {
		String many = "0123456789ab,".repeat(200) + "c";
		assertThat(of("cause", many).cause()).isEqualTo(many);
		assertThat(of("cause", "a, b").cause()).isEqualTo("a,b");
		assertThat(of("cause", "").cause()).isNull();
		assertThatExceptionOfType(EndpointException.class).isThrownBy(() -> of("cause", "a,"))
			.withMessage("'cause' has a blank id. Give ids as a,b.");
	}

	private static ParkedFilter ofText(String text) {
		return of("text", text);
	}

	private static ParkedFilter of(String name, String value) {
		return new EndpointRequest(Map.of(name, value), SecurityContext.NONE).as(FilterArguments.class).filter(null);
	}

	private static ParkedFilter search(String state) {
		return new EndpointRequest(Map.of("queue", "q"), SecurityContext.NONE).as(FilterArguments.class).search(state);
	}

}
