/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.invocation;

import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.rabbitretry.internal.connection.ProtectedGetter;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import io.github.rabbitretry.internal.handler.DeliveryContext;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.listener.adapter.DelegatingInvocableHandler;
import org.springframework.amqp.listener.adapter.HandlerAdapter;
import org.springframework.amqp.listener.adapter.InvocationResult;
import org.springframework.amqp.rabbit.listener.adapter.MessagingMessageListenerAdapter;
import org.springframework.messaging.Message;
import org.springframework.util.Assert;
import org.springframework.util.ReflectionUtils;

/**
 * Waits for a result that is there later, as if the listener's method had. Spring AMQP
 * looks at what a method returns, not only at what it is declared to return, and would
 * acknowledge or reject by a future's outcome, besides us.
 */
public final class AsyncResultHandlerAdapter extends HandlerAdapter {

	private static final Log logger = LogFactory.getLog(AsyncResultHandlerAdapter.class);

	/** A future can be its own result. */
	private static final int MOST_NESTED = 10;

	private final HandlerAdapter adapter;

	private final AsyncResult.Patience patience;

	private volatile @Nullable String onlyMethod;

	private final AtomicBoolean warned = new AtomicBoolean();

	private AsyncResultHandlerAdapter(HandlerAdapter adapter, AsyncResult.Patience patience) {
		// never asked: everything is overridden
		super(new DelegatingInvocableHandler(List.of(), null, adapter.getBean(), null, null, null));
		this.adapter = adapter;
		this.patience = patience;
	}

	/**
	 * Puts itself between a listener and its method.
	 * @param listener the listener
	 * @param patience how long to wait while its container stops
	 */
	public static void install(MessagingMessageListenerAdapter listener, AsyncResult.Patience patience) {
		HandlerAdapter adapter = ProtectedGetter.call(MessagingMessageListenerAdapter.class, "getHandlerAdapter",
				listener);
		if (adapter != null && !(adapter instanceof AsyncResultHandlerAdapter)) {
			listener.setHandlerAdapter(new AsyncResultHandlerAdapter(adapter, patience));
		}
	}

	@Override
	public InvocationResult invoke(Message<?> message, @Nullable Object... providedArgs) throws Exception {
		// a handler's time ends here: no interrupt may hit the reply
		TimedCall timed = TimedCall.current();
		try {
			InvocationResult result = this.adapter.invoke(message, providedArgs);
			InvocationResult there = AsyncResult.is(result.getReturnValue()) ? awaited(result, message.getPayload())
					: result;
			if (timed != null) {
				timed.returned();
			}
			return there;
		}
		catch (Exception ex) {
			DeliveryContext.failed(ex);
			throw (timed != null) ? timed.failed(ex) : ex;
		}
		catch (Error ex) {
			throw (timed != null) ? timed.failed(ex) : ex;
		}
	}

	/** What an error handler returned. */
	@Override
	public @Nullable InvocationResult getInvocationResultFor(Object result, Object inboundPayload) {
		InvocationResult made = this.adapter.getInvocationResultFor(result, inboundPayload);
		if (made == null || !AsyncResult.is(result)) {
			return made;
		}
		try {
			InvocationResult awaited = awaited(made, inboundPayload);
			return (awaited.getReturnValue() != null) ? awaited : null;
		}
		catch (Exception ex) {
			ReflectionUtils.rethrowRuntimeException(ex);
			throw new IllegalStateException(ex);
		}
	}

	private InvocationResult awaited(InvocationResult result, Object payload) throws Exception {
		Object later = Objects.requireNonNull(result.getReturnValue(), "there is one");
		if (this.warned.compareAndSet(false, true)) {
			logger.info("%s returned a %s. Its thread waits for the result, since its message is settled by it"
				.formatted(getMethodAsString(payload), later.getClass().getName()));
		}
		Object value = later;
		Type type = result.getReturnType();
		for (int futures = 0; AsyncResult.is(value); futures++) {
			Assert.state(futures < MOST_NESTED, "The listener's result is a future of a future, and so on");
			value = AsyncResult.await(value, this.patience);
			type = valueType(type);
		}
		return new InvocationResult(value, result.getSendTo(), type, result.getBean(), result.getMethod());
	}

	/**
	 * As Spring AMQP does it; where the declared type is not specific, the value's class
	 * does.
	 */
	private static @Nullable Type valueType(@Nullable Type declared) {
		if (declared instanceof ParameterizedType type && type.getActualTypeArguments().length > 0) {
			Type value = type.getActualTypeArguments()[0];
			return (value instanceof WildcardType) ? null : value;
		}
		return (declared == Object.class) ? declared : null;
	}

	/** For the text of each failure, of which the name of the method is the dear part. */
	@Override
	public String getMethodAsString(Object payload) {
		if (this.adapter.getMethod() == null) {
			return this.adapter.getMethodAsString(payload);
		}
		String name = this.onlyMethod;
		if (name == null) {
			name = this.adapter.getMethodAsString(payload);
			this.onlyMethod = name;
		}
		return name;
	}

	@Override
	public Method getMethodFor(Object payload) {
		return this.adapter.getMethodFor(payload);
	}

	@Override
	public Type getReturnTypeFor(Object payload) {
		return this.adapter.getReturnTypeFor(payload);
	}

	@Override
	public Object getBean() {
		return this.adapter.getBean();
	}

	@Override
	public @Nullable Method getMethod() {
		return this.adapter.getMethod();
	}

	@Override
	public boolean isAsyncReplies() {
		return this.adapter.isAsyncReplies();
	}

}
