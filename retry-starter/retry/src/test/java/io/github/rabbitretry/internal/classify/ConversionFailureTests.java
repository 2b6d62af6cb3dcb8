/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.classify;

import java.io.Serializable;
import java.lang.reflect.Method;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.List;

import org.junit.jupiter.api.Test;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.listener.ListenerExecutionFailedException;
import org.springframework.amqp.listener.adapter.DelegatingInvocableHandler;
import org.springframework.amqp.listener.adapter.HandlerAdapter;
import org.springframework.amqp.rabbit.listener.adapter.MessageListenerAdapter;
import org.springframework.amqp.rabbit.listener.adapter.MessagingMessageListenerAdapter;
import org.springframework.amqp.support.converter.AbstractMessageConverter;
import org.springframework.amqp.support.converter.JacksonJsonMessageConverter;
import org.springframework.amqp.support.converter.MessageConversionException;
import org.springframework.amqp.support.converter.MessageConverter;
import org.springframework.amqp.support.converter.SimpleMessageConverter;
import org.springframework.messaging.handler.annotation.support.DefaultMessageHandlerMethodFactory;
import org.springframework.messaging.handler.invocation.InvocableHandlerMethod;
import org.springframework.util.ReflectionUtils;
import org.springframework.validation.Errors;
import org.springframework.validation.Validator;
import org.springframework.validation.annotation.Validated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Failures as Spring AMQP's own adapters produce them.
 */
class ConversionFailureTests {

	private static final MessageConverter JSON = new JacksonJsonMessageConverter();

	@Test
	void malformedJson() {
		Throwable failure = deliver("order", JSON, message("{", null));
		assertThat(failure).isInstanceOf(ListenerExecutionFailedException.class);
		assertThat(Failures.classify(failure)).isEqualTo(Classifications.DESERIALIZATION);
	}

	@Test
	void jsonOfAnotherShape() {
		Throwable failure = deliver("order", JSON, message("{\"quantity\": \"many\"}", null));
		assertThat(Failures.classify(failure)).isEqualTo(Classifications.DESERIALIZATION);
	}

	@Test
	void aTypeThatIsNotTrusted() {
		Throwable failure = deliver("anything", JSON, message("{}", "com.acme.Order"));
		assertThat(failure).hasCauseInstanceOf(IllegalArgumentException.class);
		assertThat(Failures.classify(failure)).isEqualTo(Classifications.DESERIALIZATION);
	}

	@Test
	void aTypeThatIsNotThere() {
		Throwable failure = deliver("anything", JSON, message("{}", "java.util.NoSuchOrder"));
		assertThat(Failures.classify(failure)).isEqualTo(Classifications.UNKNOWN_TYPE);
	}

	@Test
	void aPayloadThatTheMethodDoesNotTake() {
		Throwable failure = deliver("order", new SimpleMessageConverter(), message("{}", null));
		assertThat(failure)
			.hasCauseInstanceOf(org.springframework.messaging.converter.MessageConversionException.class);
		assertThat(Failures.classify(failure)).isEqualTo(Classifications.DESERIALIZATION);
	}

	@Test
	void aConverterThatThrowsWhateverComesToItsMind() {
		Throwable failure = deliver("order", converter(new NullPointerException()), message("{}", null));
		assertThat(Failures.classify(failure)).isEqualTo(Classifications.DESERIALIZATION);
	}

	@Test
	void aConverterThatMissesAClass() {
		RuntimeException exception = new IllegalStateException(new ClassNotFoundException("com.acme.Order"));
		Throwable failure = deliver("order", converter(exception), message("{}", null));
		assertThat(Failures.classify(failure)).isEqualTo(Classifications.UNKNOWN_TYPE);
	}

	@Test
	void aConverterThatTimesOut() {
		RuntimeException exception = new MessageConversionException("no schema",
				new IllegalStateException(new SocketTimeoutException()));
		Throwable failure = deliver("order", converter(exception), message("{}", null));
		assertThat(Failures.classify(failure)).isEqualTo(Classifications.TIMEOUT);
	}

	@Test
	void aListenerWithoutAnnotations() {
		MessageListenerAdapter adapter = new MessageListenerAdapter(new Handlers(), "anything");
		adapter.setMessageConverter(converter(new NullPointerException()));
		Throwable failure = catchThrowable(() -> adapter.onMessage(message("{}", null), null));
		assertThat(Failures.classify(failure)).isEqualTo(Classifications.DESERIALIZATION);
	}

	@Test
	void aPayloadThatNoHandlerOfTheClassTakes() {
		MessagingMessageListenerAdapter adapter = new MessagingMessageListenerAdapter(null, null);
		adapter.setHandlerAdapter(new HandlerAdapter(new DelegatingInvocableHandler(
				List.of(invocable("order"), invocable("number")), new Handlers(), null, null)));
		adapter.setMessageConverter(JSON);
		Throwable failure = catchThrowable(() -> adapter.onMessage(message("1", "java.lang.Long"), null));
		assertThat(failure).hasRootCauseInstanceOf(NoSuchMethodException.class);
		assertThat(Failures.classify(failure)).isEqualTo(Classifications.UNKNOWN_TYPE);
	}

	@Test
	void aPayloadThatIsNotValid() {
		Throwable failure = deliver("valid", JSON, message("{\"quantity\": 0}", null));
		assertThat(Failures.classify(failure)).isEqualTo(Classifications.VALIDATION);
	}

	@Test
	void whatTheHandlerThrowsIsNoConversionFailure() {
		Throwable failure = deliver("broken", JSON, message("{\"quantity\": 1}", null));
		assertThat(failure).hasCauseInstanceOf(IllegalArgumentException.class);
		assertThat(Failures.classify(failure)).isEqualTo(Classifications.UNKNOWN);
	}

	private static Throwable deliver(String handler, MessageConverter converter, Message message) {
		InvocableHandlerMethod invocable = invocable(handler);
		MessagingMessageListenerAdapter adapter = new MessagingMessageListenerAdapter(invocable.getBean(),
				invocable.getMethod());
		adapter.setHandlerAdapter(new HandlerAdapter(invocable));
		adapter.setMessageConverter(converter);
		return catchThrowable(() -> adapter.onMessage(message, null));
	}

	private static InvocableHandlerMethod invocable(String handler) {
		DefaultMessageHandlerMethodFactory factory = new DefaultMessageHandlerMethodFactory();
		factory.setValidator(new NothingIsValid());
		factory.afterPropertiesSet();
		Method method = ReflectionUtils.findMethod(Handlers.class, handler, (Class<?>[]) null);
		return factory.createInvocableHandlerMethod(new Handlers(), method);
	}

	private static Message message(String body, String typeId) {
		MessageProperties properties = new MessageProperties();
		properties.setContentType("application/json");
		if (typeId != null) {
			properties.setHeader("__TypeId__", typeId);
		}
		return new Message(body.getBytes(StandardCharsets.UTF_8), properties);
	}

	private static MessageConverter converter(RuntimeException failure) {
		return new AbstractMessageConverter() {

			@Override
			protected Message createMessage(Object object, MessageProperties properties) {
				throw new UnsupportedOperationException();
			}

			@Override
			public Object fromMessage(Message message) {
				failure.fillInStackTrace();
				throw failure;
			}

		};
	}

	record Order(int quantity) {
	}

	static class Handlers {

		public void order(Order order) {
		}

		public void number(Integer number) {
		}

		public void anything(Serializable payload) {
		}

		public void valid(@Validated Order order) {
		}

		public void broken(Order order) {
			throw new IllegalArgumentException("not about the conversion");
		}

	}

	private static final class NothingIsValid implements Validator {

		@Override
		public boolean supports(Class<?> type) {
			return true;
		}

		@Override
		public void validate(Object target, Errors errors) {
			errors.reject("quantity");
		}

	}

}
