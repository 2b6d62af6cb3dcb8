/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.invocation;

import java.time.Duration;

import io.github.rabbitretry.internal.handler.HandlerTimeoutException;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.ImmediateAcknowledgeAmqpException;
import org.springframework.amqp.listener.ListenerExecutionFailedException;
import org.springframework.retry.backoff.BackOffInterruptedException;

import static org.assertj.core.api.Assertions.assertThat;

class InfrastructureFailuresTests {

	private static final Throwable BACK_OFF = new BackOffInterruptedException("", new InterruptedException());

	@Test
	void aWishForAcknowledgementIsFoundAmongTheCauses() {
		Throwable wish = new ImmediateAcknowledgeAmqpException("enough");
		assertThat(InfrastructureFailures.asksForAcknowledgement(wish)).isTrue();
		assertThat(InfrastructureFailures.asksForAcknowledgement(new ListenerExecutionFailedException("", wish)))
			.isTrue();
		assertThat(InfrastructureFailures.asksForAcknowledgement(new IllegalStateException())).isFalse();
	}

	@Test
	void anInterruptionCountsWhileStoppingOnly() {
		assertThat(InfrastructureFailures.interrupted(BACK_OFF, true)).isTrue();
		assertThat(InfrastructureFailures.interrupted(new RuntimeException(new InterruptedException()), true)).isTrue();
		assertThat(InfrastructureFailures.interrupted(new IllegalStateException(), true)).isFalse();
		assertThat(InfrastructureFailures.interrupted(BACK_OFF, false)).isFalse();
		assertThat(InfrastructureFailures.interrupted(new InterruptedException(), false)).isFalse();
	}

	@Test
	void anInterruptionByTheHandlersTimeoutIsNone() {
		HandlerTimeoutException exceeded = new HandlerTimeoutException("Order", Duration.ofSeconds(1),
				new InterruptedException());
		assertThat(InfrastructureFailures.interrupted(exceeded, true)).isFalse();
		assertThat(InfrastructureFailures.interrupted(new ListenerExecutionFailedException("", exceeded), true))
			.isFalse();
	}

	@Test
	void behindAnInterruptedWaitIsWhatTheHandlerThrew() {
		Throwable last = new IllegalStateException();
		assertThat(InfrastructureFailures.ofHandler(BACK_OFF, last)).isSameAs(last);
		assertThat(InfrastructureFailures.ofHandler(BACK_OFF, null)).isSameAs(BACK_OFF);
		assertThat(InfrastructureFailures.ofHandler(new RuntimeException(BACK_OFF), last)).hasCause(BACK_OFF);
	}

	@Test
	void aCircleOfCausesEnds() {
		Exception outer = new RuntimeException("outer");
		outer.initCause(new RuntimeException("inner", outer));
		assertThat(InfrastructureFailures.asksForAcknowledgement(outer)).isFalse();
		assertThat(InfrastructureFailures.interrupted(outer, true)).isFalse();
	}

}
