/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.deadletter;

import java.net.SocketTimeoutException;

import io.github.rabbitretry.internal.deadletter.ParkingHeaders.ExceptionSummary;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.listener.ListenerExecutionFailedException;

import static org.assertj.core.api.Assertions.assertThat;

class ExceptionSummaryTests {

	@Test
	void namesAnExceptionAndItsCausesAndTheMessageOfTheFirst() {
		Exception failure = new IllegalStateException("no answer", new SocketTimeoutException("read"));
		ExceptionSummary summary = ExceptionSummary.of(failure);
		assertThat(summary.classes()).isEqualTo("java.lang.IllegalStateException <- java.net.SocketTimeoutException");
		assertThat(summary.message()).isEqualTo("no answer");
	}

	@Test
	void namesTheInnermostExceptionItsMessageAndWhereItWasThrown() {
		Exception chain = new SocketTimeoutException("Read timed out");
		for (int depth = 0; depth < 20; depth++) {
			chain = new IllegalStateException("no answer", chain);
		}
		ExceptionSummary summary = ExceptionSummary.of(new ListenerExecutionFailedException("outer", chain));
		assertThat(summary.rootClass()).isEqualTo("java.net.SocketTimeoutException");
		assertThat(summary.rootMessage()).isEqualTo("Read timed out");
		assertThat(summary.frames()).startsWith(ExceptionSummaryTests.class.getName() + ".namesTheInnermost")
			.contains("(ExceptionSummaryTests.java:")
			.contains(" <- ");
	}

	@Test
	void passesSpringsWrappersOver() {
		Exception failure = new IllegalStateException("no answer");
		Exception wrapped = new ListenerExecutionFailedException("outer",
				new ListenerExecutionFailedException("inner", failure));
		assertThat(ExceptionSummary.of(wrapped)).isEqualTo(ExceptionSummary.of(failure));
	}

	@Test
	void keepsAWrapperThatHasNoCause() {
		Throwable wrapper = new ListenerExecutionFailedException("alone", (Throwable) null);
		assertThat(ExceptionSummary.of(wrapper).classes()).isEqualTo(ListenerExecutionFailedException.class.getName());
		assertThat(ExceptionSummary.of(wrapper).message()).startsWith("alone");
	}

	@Test
	void aMissingMessageIsEmpty() {
		ExceptionSummary summary = ExceptionSummary.of(new StackOverflowError());
		assertThat(summary.classes()).isEqualTo("java.lang.StackOverflowError");
		assertThat(summary.message()).isEmpty();
		assertThat(summary.rootMessage()).isEmpty();
	}

	@Test
	void aChainOfCausesIsCutAndACircleOfThemEnds() {
		Exception chain = new IllegalStateException();
		for (int depth = 0; depth < 50; depth++) {
			chain = new RuntimeException(chain);
		}
		assertThat(ExceptionSummary.of(chain).classes().split(" <- ")).hasSize(6);
		Exception outer = new RuntimeException("outer");
		Exception inner = new RuntimeException("inner", outer);
		outer.initCause(inner);
		assertThat(ExceptionSummary.of(outer).classes().split(" <- ")).as("each once").hasSize(2);
		ListenerExecutionFailedException first = new ListenerExecutionFailedException("first", (Throwable) null) {

			@Override
			public synchronized Throwable getCause() {
				return this;
			}

		};
		assertThat(ExceptionSummary.of(first).message()).startsWith("first");
	}

	@Test
	void anExceptionWhoseMessageCannotBeHadIsSummarizedWithoutIt() {
		Exception hostile = new IllegalStateException() {

			@Override
			public String getMessage() {
				throw new UnsupportedOperationException();
			}
		};
		assertThat(ExceptionSummary.of(hostile).classes()).isEqualTo(hostile.getClass().getName());
		assertThat(ExceptionSummary.of(hostile).message()).isEmpty();
	}

}
