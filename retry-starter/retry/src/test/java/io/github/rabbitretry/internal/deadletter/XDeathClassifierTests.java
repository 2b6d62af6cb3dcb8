/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.deadletter;

import java.util.Optional;

import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.decision.Decision;
import io.github.rabbitretry.internal.message.XDeath;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class XDeathClassifierTests {

	@ParameterizedTest
	@CsvSource({ "delivery_limit, DELIVERY_LIMIT, POISON", "rejected, REJECTED, POISON",
			"maxlen, QUEUE_OVERFLOW, TRANSIENT", "expired, EXPIRED, TRANSIENT",
			"something_new, UNKNOWN_FAILURE, UNKNOWN", "'', UNKNOWN_FAILURE, UNKNOWN" })
	void readsTheBrokersReason(String death, String reason, FailureClass failureClass) {
		assertThat(XDeathClassifier.why(Optional.of(new XDeath(death, "order", "", "order"))))
			.isEqualTo(new Decision.Park(reason, failureClass, reason));
	}

	@Test
	void aDeathWithoutRecordIsUnknown() {
		assertThat(XDeathClassifier.why(Optional.empty()).reason()).isEqualTo("UNKNOWN_FAILURE");
	}

}
