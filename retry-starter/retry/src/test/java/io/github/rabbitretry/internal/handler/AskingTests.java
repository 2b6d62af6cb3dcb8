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
import io.github.rabbitretry.handler.DiscardMessage;
import io.github.rabbitretry.handler.ParkMessage;
import io.github.rabbitretry.handler.RejectMessage;
import io.github.rabbitretry.handler.RetryLater;
import io.github.rabbitretry.handler.ReturnMessage;
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
				Arguments.of(RetryLater.after(Duration.ofSeconds(864_000)), FailureClass.TRANSIENT, "RETRY_LATER",
						new Instruction.RetryAfter(Duration.ofDays(10))),
				Arguments.of(RetryLater.after(Duration.ofDays(11)), FailureClass.TRANSIENT, "RETRY_LATER",
						new Instruction.RetryAfter(Duration.ofDays(10))),
				Arguments.of(RetryLater.atLevel(3).because("LATER"), FailureClass.TRANSIENT, "LATER",
						new Instruction.RetryAtLevel(3)),
				Arguments.of(RetryLater.nextLevel(), FailureClass.TRANSIENT, "RETRY_LATER",
						new Instruction.RetryAtNextLevel()),
				Arguments.of(ParkMessage.because("NO_SUCH_CUSTOMER"), business, "NO_SUCH_CUSTOMER",
						new Instruction.Park()),
				Arguments.of(DiscardMessage.asStale(), business, "STALE_COMMAND", new Instruction.Discard()),
				Arguments.of(DiscardMessage.because("SHIPPED"), business, "SHIPPED", new Instruction.Discard()),
				Arguments.of(RejectMessage.because("REFUSED"), business, "REFUSED", new Instruction.Reject(null)),
				Arguments.of(RejectMessage.because("REFUSED").with("event"), business, "REFUSED",
						new Instruction.Reject("event")),
				Arguments.of(ReturnMessage.toQueue(), FailureClass.TRANSIENT, "RETURNED", new Instruction.Return()),
				Arguments.of(ReturnMessage.because("NOT_MINE"), FailureClass.TRANSIENT, "NOT_MINE",
						new Instruction.Return()));
	}

	@Test
	void theCauseIsKept() {
		Throwable cause = new IllegalStateException();
		assertThat(RetryLater.nextLevel().causedBy(cause)).hasCause(cause);
		assertThat(ParkMessage.because("WHY").causedBy(cause)).hasCause(cause);
	}

	@Test
	void anEventStandsInNoText() {
		RejectMessage rejection = RejectMessage.because("REFUSED").with("secret");
		assertThat(rejection.toString() + rejection.classification()).doesNotContain("secret");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "lower", "1ST", "WITH SPACE", "WITH-HYPHEN" })
	void whatIsNoReasonIsRefusedAtOnce(String reason) {
		assertThatIllegalArgumentException().isThrownBy(() -> RetryLater.nextLevel().because(reason));
		assertThatIllegalArgumentException().isThrownBy(() -> ParkMessage.because(reason));
		assertThatIllegalArgumentException().isThrownBy(() -> DiscardMessage.because(reason));
		assertThatIllegalArgumentException().isThrownBy(() -> RejectMessage.because(reason));
		assertThatIllegalArgumentException().isThrownBy(() -> ReturnMessage.because(reason));
	}

	@Test
	void whatIsNoDelayOrLevelIsRefusedAtOnce() {
		assertThatIllegalArgumentException().isThrownBy(() -> RetryLater.after(Duration.ZERO));
		assertThatIllegalArgumentException().isThrownBy(() -> RetryLater.after(Duration.ofSeconds(-1)));
		assertThatIllegalArgumentException().isThrownBy(() -> RetryLater.atLevel(0));
	}

}
