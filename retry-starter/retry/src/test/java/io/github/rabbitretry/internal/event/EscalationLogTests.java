/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.event;

import java.time.Duration;

import io.github.rabbitretry.event.EscalatedMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class EscalationLogTests {

	private final EscalationLog log = new EscalationLog();

	@Test
	void aLineNamesTheOwnerTheMessageItsAgeAndTheReason(CapturedOutput output) {
		this.log.escalated(message("Order", "m-1"));
		assertThat(output).contains(
				"team-orders: message 'm-1' of Order keeps failing, waits for broker attempt 3, failed first 300 s"
						+ " ago, now with DOWNSTREAM_TIMEOUT");
	}

	@Test
	void aFloodOfOneTypeIsOneLineAndHidesNoOther(CapturedOutput output) {
		for (int i = 0; i < 1000; i++) {
			this.log.escalated(message("Order", "m-" + i));
		}
		this.log.escalated(message("Refund", "r-1"));
		assertThat(output.toString().lines().filter((line) -> line.contains("of Order"))).hasSizeBetween(1, 5);
		assertThat(output).contains("'r-1' of Refund");
	}

	@Test
	void aProducerCannotWriteLinesOfItsOwnNorLongOnes(CapturedOutput output) {
		this.log.escalated(message("Order", "a\r\nINFO all is well\u2028" + "x".repeat(1000)));
		assertThat(output).contains("'a??INFO all is well?x").doesNotContain("x".repeat(129));
	}

	private static EscalatedMessage message(String type, String id) {
		return new EscalatedMessage(type, "team-orders", id, 3, Duration.ofMinutes(5), "DOWNSTREAM_TIMEOUT");
	}

}
