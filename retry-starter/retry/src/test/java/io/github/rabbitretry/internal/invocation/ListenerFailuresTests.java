/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.invocation;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.amqp.ImmediateAcknowledgeAmqpException;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.listener.ConditionalRejectingErrorHandler;
import org.springframework.amqp.listener.ListenerExecutionFailedException;
import org.springframework.util.ErrorHandler;

import static org.assertj.core.api.Assertions.assertThat;

class ListenerFailuresTests {

	static Stream<ErrorHandler> discardingHandlers() {
		ErrorHandler ofSpring = new ConditionalRejectingErrorHandler();
		return Stream.of((failure) -> ofSpring.handleError(failure), new ConditionalRejectingErrorHandler() {

			@Override
			public void handleError(Throwable failure) {
				super.handleError(failure);
			}

		});
	}

	@ParameterizedTest
	@MethodSource("discardingHandlers")
	void aMessageThatHasWaitedIsNotDiscardedByWhatDecoratesSpringsHandler(ErrorHandler handler) {
		ListenerExecutionFailedException failure = waited(new ClassCastException("fatal to Spring AMQP"));
		Throwable found = ListenerFailures.of(failure, failure.getFailedMessage(), handler);
		assertThat(InfrastructureFailures.asksForAcknowledgement(found)).isFalse();
		assertThat(found).hasCause(failure);
		assertThat(failure.getFailedMessage().getMessageProperties().getXDeathHeader()).hasSize(1);
	}

	@Test
	void aHandlerThatAsksForItHasTheMessageAcknowledged() {
		ListenerExecutionFailedException failure = waited(new IllegalStateException());
		Throwable found = ListenerFailures.of(failure, failure.getFailedMessage(), (any) -> {
			throw new ImmediateAcknowledgeAmqpException("obsolete");
		});
		assertThat(InfrastructureFailures.asksForAcknowledgement(found)).isTrue();
	}

	private static ListenerExecutionFailedException waited(Throwable cause) {
		MessageProperties properties = new MessageProperties();
		properties.setHeader("x-death", List.of(Map.of("queue", "orders.retry.10s", "reason", "expired", "count", 1L)));
		return new ListenerExecutionFailedException("failed", cause, new Message(new byte[0], properties));
	}

}
