/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.message;

import java.util.List;
import java.util.Map;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import org.springframework.amqp.AmqpRejectAndDontRequeueException;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.listener.ListenerExecutionFailedException;
import org.springframework.amqp.support.converter.MessageConversionException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ReceivedMessageErrorHandlerTests {

	private final ListAppender<ILoggingEvent> log = new ListAppender<>();

	@BeforeEach
	void attach() {
		this.log.start();
		((Logger) LoggerFactory.getLogger("ROOT")).addAppender(this.log);
	}

	@AfterEach
	void detach() {
		((Logger) LoggerFactory.getLogger("ROOT")).detachAppender(this.log);
	}

	@Test
	void whatWasDeadLetteredBeforeIsRejectedNotAcknowledged() {
		assertThatExceptionOfType(AmqpRejectAndDontRequeueException.class)
			.isThrownBy(() -> new ReceivedMessageErrorHandler().handleError(failure()))
			.satisfies((ex) -> assertThat(ex.isRejectManual()).isTrue());
	}

	@Test
	void noHeaderOfTheMessageIsWrittenToTheLog() {
		assertThatExceptionOfType(AmqpRejectAndDontRequeueException.class)
			.isThrownBy(() -> new ReceivedMessageErrorHandler().handleError(failure()));
		assertThat(this.log.list).isNotEmpty()
			.allSatisfy((line) -> assertThat(line.getFormattedMessage()).doesNotContain("forged"));
	}

	private static ListenerExecutionFailedException failure() {
		MessageProperties properties = new MessageProperties();
		properties.setHeader("x-death", List.of(Map.of("queue", "q", "reason", "rejected")));
		properties.setHeader("h", "forged\nline");
		return new ListenerExecutionFailedException("can't be converted", new MessageConversionException("no"),
				new Message(new byte[0], properties));
	}

}
