/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.handler;

import java.time.Duration;
import java.util.stream.Stream;

import io.github.rabbitretry.classify.ClassifiedFailure;
import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.classify.FailureClassification;
import io.github.rabbitretry.classify.Instruction;
import io.github.rabbitretry.handler.DiscardMessageException;
import io.github.rabbitretry.handler.ParkMessageException;
import io.github.rabbitretry.handler.RejectMessageException;
import io.github.rabbitretry.handler.RetryLaterException;
import io.github.rabbitretry.handler.ReturnMessageException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class AskingTests {

	@ParameterizedTest
	@MethodSource
	void everyExceptionSaysWhatItAsksFor(ClassifiedFailure asking, FailureClass failureClass, String reason,
			Instruction instruction) {
		assertThat(asking.classification())
			.isEqualTo(FailureClassification.instructed(failureClass, reason, instruction));
	}

	static Stream<Arguments> everyExceptionSaysWhatItAsksFor() {
		FailureClass business = FailureClass.PERMANENT_BUSINESS;
		return Stream.of(
				Arguments.of(RetryLaterException.after(Duration.ofSeconds(864_000)), FailureClass.TRANSIENT,
						"RETRY_LATER", new Instruction.RetryAfter(Duration.ofDays(10))),
				Arguments.of(RetryLaterException.after(Duration.ofDays(11)), FailureClass.TRANSIENT, "RETRY_LATER",
						new Instruction.RetryAfter(Duration.ofDays(10))),
				Arguments.of(RetryLaterException.atLevel(3).because("LATER"), FailureClass.TRANSIENT, "LATER",
						new Instruction.RetryAtLevel(3)),
				Arguments.of(RetryLaterException.nextLevel(), FailureClass.TRANSIENT, "RETRY_LATER",
						new Instruction.RetryAtNextLevel()),
				Arguments.of(ParkMessageException.because("NO_SUCH_CUSTOMER"), business, "NO_SUCH_CUSTOMER",
						new Instruction.Park()),
				Arguments.of(DiscardMessageException.asStale(), business, "STALE_COMMAND", new Instruction.Discard()),
				Arguments.of(DiscardMessageException.because("SHIPPED"), business, "SHIPPED",
						new Instruction.Discard()),
				Arguments.of(RejectMessageException.because("REFUSED"), business, "REFUSED",
						new Instruction.Reject(null)),
				Arguments.of(RejectMessageException.because("REFUSED").with("event"), business, "REFUSED",
						new Instruction.Reject("event")),
				Arguments.of(ReturnMessageException.toQueue(), FailureClass.TRANSIENT, "RETURNED",
						new Instruction.Return()),
				Arguments.of(ReturnMessageException.because("NOT_MINE"), FailureClass.TRANSIENT, "NOT_MINE",
						new Instruction.Return()));
	}

	@Test
	void theCauseIsKept() {
		Throwable cause = new IllegalStateException();
		assertThat(RetryLaterException.nextLevel().causedBy(cause)).hasCause(cause);
		assertThat(ParkMessageException.because("WHY").causedBy(cause)).hasCause(cause);
	}

	@Test
	void anEventStandsInNoText() {
		RejectMessageException rejection = RejectMessageException.because("REFUSED").with("secret");
		assertThat(rejection.toString() + rejection.classification()).doesNotContain("secret");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "lower", "1ST", "WITH SPACE", "WITH-HYPHEN" })
	void whatIsNoReasonIsRefusedAtOnce(String reason) {
		assertThatIllegalArgumentException().isThrownBy(() -> RetryLaterException.nextLevel().because(reason));
		assertThatIllegalArgumentException().isThrownBy(() -> ParkMessageException.because(reason));
		assertThatIllegalArgumentException().isThrownBy(() -> DiscardMessageException.because(reason));
		assertThatIllegalArgumentException().isThrownBy(() -> RejectMessageException.because(reason));
		assertThatIllegalArgumentException().isThrownBy(() -> ReturnMessageException.because(reason));
	}

	@Test
	void whatIsNoDelayOrLevelIsRefusedAtOnce() {
		assertThatIllegalArgumentException().isThrownBy(() -> RetryLaterException.after(Duration.ZERO));
		assertThatIllegalArgumentException().isThrownBy(() -> RetryLaterException.after(Duration.ofSeconds(-1)));
		assertThatIllegalArgumentException().isThrownBy(() -> RetryLaterException.atLevel(0));
	}

}
