/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking;

import java.net.SocketTimeoutException;

import org.junit.jupiter.api.Test;

import org.springframework.amqp.listener.ListenerExecutionFailedException;

import static org.assertj.core.api.Assertions.assertThat;

class ExceptionSummaryTests {

	@Test
	void namesAnExceptionAndItsCausesAndTheMessageOfTheFirst() {
		Exception failure = new IllegalStateException("no answer", new SocketTimeoutException("read"));
		assertThat(ExceptionSummary.of(failure)).isEqualTo(new ExceptionSummary(
				"java.lang.IllegalStateException <- java.net.SocketTimeoutException", "no answer"));
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
		assertThat(ExceptionSummary.of(new StackOverflowError()))
			.isEqualTo(new ExceptionSummary("java.lang.StackOverflowError", ""));
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
