/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.invocation;

import io.github.rabbitretry.internal.classify.CauseChain;
import io.github.rabbitretry.internal.connection.ProtectedGetter;
import io.github.rabbitretry.internal.handler.DeliveryContext;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.AmqpRejectAndDontRequeueException;
import org.springframework.amqp.ImmediateAcknowledgeAmqpException;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.core.MessagePropertiesBuilder;
import org.springframework.amqp.listener.ConditionalRejectingErrorHandler;
import org.springframework.amqp.listener.FatalExceptionStrategy;
import org.springframework.amqp.listener.ListenerExecutionFailedException;
import org.springframework.amqp.listener.adapter.ReplyFailureException;
import org.springframework.util.ErrorHandler;
import org.springframework.util.ReflectionUtils;

/**
 * What the failure of a listener is, where Spring AMQP has made another one of it, or
 * would have asked the container's error handler.
 */
final class ListenerFailures {

	/** Those that Spring AMQP takes for fatal: the built-in knowledge is more exact. */
	private static final FatalExceptionStrategy OF_SPRING = new ConditionalRejectingErrorHandler.DefaultExceptionStrategy() {

		@Override
		protected void logFatalException(ListenerExecutionFailedException failure, @Nullable Throwable cause) {
			// nothing is decided by it
		}

	};

	private ListenerFailures() {
	}

	/**
	 * To be called once for each failed call of the listener.
	 * @param failure what it threw
	 * @param message what it was called with
	 * @param errorHandler the container's, as configured
	 * @return what is to be classified
	 */
	static Throwable of(Throwable failure, Message message, ErrorHandler errorHandler) {
		Throwable ofHandler = DeliveryContext.takeFailure();
		// the container has wrapped it
		if (!(CauseChain.unwrapped(failure).get(0) instanceof ReplyFailureException reply)) {
			return asked(failure, errorHandler);
		}
		// returnExceptions, or an error handler, had made a reply of a handler's failure
		return (ofHandler != null)
				? asked(new ListenerExecutionFailedException("Listener threw exception", ofHandler, message),
						errorHandler)
				: new UnsentReplyException(reply);
	}

	private static Throwable asked(Throwable failure, ErrorHandler errorHandler) {
		if (CauseChain.root(failure).getCause() != null || decides(failure)) {
			// it walks causes without a bound, or has no say
			return failure;
		}
		try {
			if (isStrategyOnly(errorHandler)) {
				return fatal(failure, errorHandler) ? rejected(failure) : failure;
			}
			errorHandler.handleError(withoutDeaths(failure));
		}
		catch (Throwable ex) {
			if (CauseChain.find(ex, ImmediateAcknowledgeAmqpException.class).isPresent()) {
				return ex;
			}
			if (decides(ex)) {
				return rejected(failure);
			}
		}
		return failure;
	}

	/**
	 * As if the message had not been dead-lettered, which it is by waiting: Spring AMQP's
	 * handlers, also those that others decorate, have such a message acknowledged if its
	 * failure is fatal.
	 */
	private static Throwable withoutDeaths(Throwable failure) {
		if (!(failure instanceof ListenerExecutionFailedException listener)) {
			return failure;
		}
		ListenerExecutionFailedException copy = new ListenerExecutionFailedException(listener.getMessage(),
				listener.getCause(),
				listener.getFailedMessages().stream().map(ListenerFailures::withoutDeaths).toArray(Message[]::new));
		copy.setStackTrace(listener.getStackTrace());
		return copy;
	}

	private static Message withoutDeaths(Message message) {
		MessageProperties properties = MessagePropertiesBuilder.fromClonedProperties(message.getMessageProperties())
			.build();
		properties.getHeaders().remove("x-death");
		return new Message(message.getBody(), properties);
	}

	private static boolean decides(Throwable failure) {
		return CauseChain.find(failure, AmqpRejectAndDontRequeueException.class).isPresent()
				|| CauseChain.find(failure, ImmediateAcknowledgeAmqpException.class).isPresent();
	}

	/**
	 * Whether only its strategy is the application's own: the rest would log the message.
	 */
	private static boolean isStrategyOnly(ErrorHandler errorHandler) {
		return errorHandler instanceof ConditionalRejectingErrorHandler
				&& ReflectionUtils.findMethod(errorHandler.getClass(), "handleError", Throwable.class)
					.getDeclaringClass() == ConditionalRejectingErrorHandler.class;
	}

	private static boolean fatal(Throwable failure, ErrorHandler errorHandler) {
		FatalExceptionStrategy strategy = ProtectedGetter.call(ConditionalRejectingErrorHandler.class,
				"getExceptionStrategy", errorHandler);
		return strategy != null
				&& strategy.getClass() != ConditionalRejectingErrorHandler.DefaultExceptionStrategy.class
				&& strategy.isFatal(failure) && !OF_SPRING.isFatal(failure);
	}

	private static Throwable rejected(Throwable failure) {
		return new AmqpRejectAndDontRequeueException("Fatal by the error handler of the listener's container", failure);
	}

}
