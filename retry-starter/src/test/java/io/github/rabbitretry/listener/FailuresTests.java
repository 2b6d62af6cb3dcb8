/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.listener;

import org.junit.jupiter.api.Test;

import org.springframework.amqp.ImmediateAcknowledgeAmqpException;
import org.springframework.amqp.listener.ListenerExecutionFailedException;
import org.springframework.retry.backoff.BackOffInterruptedException;

import static org.assertj.core.api.Assertions.assertThat;

class FailuresTests {

	private static final Throwable BACK_OFF = new BackOffInterruptedException("", new InterruptedException());

	@Test
	void aWishForAcknowledgementIsFoundAmongTheCauses() {
		Throwable wish = new ImmediateAcknowledgeAmqpException("enough");
		assertThat(Failures.asksForAcknowledgement(wish)).isTrue();
		assertThat(Failures.asksForAcknowledgement(new ListenerExecutionFailedException("", wish))).isTrue();
		assertThat(Failures.asksForAcknowledgement(new IllegalStateException())).isFalse();
	}

	@Test
	void anInterruptionCountsWhileStoppingOnly() {
		assertThat(Failures.interrupted(BACK_OFF, true)).isTrue();
		assertThat(Failures.interrupted(new RuntimeException(new InterruptedException()), true)).isTrue();
		assertThat(Failures.interrupted(new IllegalStateException(), true)).isFalse();
		assertThat(Failures.interrupted(BACK_OFF, false)).isFalse();
		assertThat(Failures.interrupted(new InterruptedException(), false)).isFalse();
	}

	@Test
	void behindAnInterruptedWaitIsWhatTheHandlerThrew() {
		Throwable last = new IllegalStateException();
		assertThat(Failures.ofHandler(BACK_OFF, last)).isSameAs(last);
		assertThat(Failures.ofHandler(BACK_OFF, null)).isSameAs(BACK_OFF);
		assertThat(Failures.ofHandler(new RuntimeException(BACK_OFF), last)).hasCause(BACK_OFF);
	}

	@Test
	void aCircleOfCausesEnds() {
		Exception outer = new RuntimeException("outer");
		outer.initCause(new RuntimeException("inner", outer));
		assertThat(Failures.asksForAcknowledgement(outer)).isFalse();
		assertThat(Failures.interrupted(outer, true)).isFalse();
	}

}
