/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.actuate;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

import io.github.rabbitretry.parking.message.PayloadState;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PayloadTests {

	@Test
	void textIsShownAsText() {
		assertThat(ParkedDetails.Payload.of(PayloadState.WHOLE, "{\"ü\":1}".getBytes(StandardCharsets.UTF_8)))
			.isEqualTo(new ParkedDetails.Payload(PayloadState.WHOLE, 8, "text", "{\"ü\":1}"));
	}

	@Test
	void bytesThatAreNoTextAreShownByteForByte() {
		byte[] bytes = { (byte) 0xC3, 0x28, 0, (byte) 0xFF };
		ParkedDetails.Payload payload = ParkedDetails.Payload.of(PayloadState.WHOLE, bytes);
		assertThat(payload.encoding()).isEqualTo("base64");
		assertThat(Base64.getDecoder().decode(payload.content())).isEqualTo(bytes);
	}

	@Test
	void whatIsNotStoredIsNotShown() {
		assertThat(ParkedDetails.Payload.of(PayloadState.OMITTED, null))
			.isEqualTo(new ParkedDetails.Payload(PayloadState.OMITTED, 0, null, null));
	}

}
