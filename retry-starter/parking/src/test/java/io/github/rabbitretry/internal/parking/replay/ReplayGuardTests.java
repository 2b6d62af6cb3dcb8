/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import io.github.rabbitretry.parking.replay.OperatorAction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class ReplayGuardTests {

	@ParameterizedTest
	@ValueSource(strings = { "no exchange 'a\u200Bb.retry'", "two\nlines", "\u2028", "\uD800", "all is published" })
	void theAuditAcceptsAnyReplyOfTheBrokerAsAReason(String reply) {
		String reason = ReplayGuard.reason(reply + "x".repeat(300));
		assertThat(new OperatorAction("rabbit-retry", reason).reason()).contains("xxx");
	}

}
