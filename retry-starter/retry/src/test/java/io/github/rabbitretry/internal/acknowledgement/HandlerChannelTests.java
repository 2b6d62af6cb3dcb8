/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.acknowledgement;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.BlockedCallback;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ChannelContinuationTimeoutException;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import com.rabbitmq.client.UnblockedCallback;
import io.github.rabbitretry.internal.connection.BlockedConnections;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionListener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

/**
 * What a handler publishes on the channel of its delivery, such as a reply.
 */
class HandlerChannelTests {

	private final List<String> commands = new ArrayList<>();

	private @Nullable Exception noChannel;

	private @Nullable Exception noExchange;

	private @Nullable BlockedCallback blocked;

	private @Nullable UnblockedCallback unblocked;

	private final Connection connection = proxy(Connection.class, this::connection);

	private final Channel channel = proxy(Channel.class, this::command);

	private final Channel forHandlers = HandlerChannel.of(this.channel, this.channel, "a listener");

	@Test
	void anExchangeIsLookedForOnceBeforeItIsPublishedTo() throws IOException {
		publish("replies");
		publish("replies");
		assertThat(this.commands).containsExactly("createChannel", "exchangeDeclarePassive replies", "close",
				"basicPublish replies", "basicPublish replies");
	}

	@Test
	void nothingIsPublishedToAnExchangeThatDoesNotExist() {
		this.noExchange = new IOException(signal(AMQP.NOT_FOUND));
		assertThatIOException().isThrownBy(() -> publish("replies"));
		assertThat(this.commands).doesNotContain("basicPublish replies");
	}

	@Test
	void onABlockedConnectionItIsPublishedWithoutALookForItsExchange() throws IOException {
		BlockedConnections.watch(factory());
		Objects.requireNonNull(this.blocked).handle("low on memory");
		publish("replies");
		assertThat(this.commands).containsExactly("basicPublish replies");
		Objects.requireNonNull(this.unblocked).handle();
		publish("replies");
		assertThat(this.commands).contains("exchangeDeclarePassive replies");
	}

	@ParameterizedTest
	@MethodSource("failures")
	void itIsPublishedThoughThereIsNoChannelToLookOn(Exception failure) throws IOException {
		this.noChannel = failure;
		publish("replies");
		assertThat(this.commands).containsExactly("basicPublish replies");
	}

	@ParameterizedTest
	@MethodSource("failures")
	void itIsPublishedThoughTheLookFails(Exception failure) throws IOException {
		this.noExchange = failure;
		publish("replies");
		assertThat(this.commands).endsWith("basicPublish replies");
	}

	static Stream<Exception> failures() {
		return Stream.of(new ChannelContinuationTimeoutException(new TimeoutException(), "channel", 1, null),
				new AlreadyClosedException(signal(AMQP.CHANNEL_ERROR)), new IOException(signal(AMQP.ACCESS_REFUSED)));
	}

	private static ShutdownSignalException signal(int code) {
		return new ShutdownSignalException(false, false,
				new AMQP.Channel.Close.Builder().replyCode(code).replyText("a test").build(), "channel");
	}

	private void publish(String exchange) throws IOException {
		this.forHandlers.basicPublish(exchange, "key", null, new byte[0]);
	}

	private ConnectionFactory factory() {
		org.springframework.amqp.rabbit.connection.Connection spring = proxy(
				org.springframework.amqp.rabbit.connection.Connection.class, (method, argument) -> this.connection);
		return proxy(ConnectionFactory.class, (method, argument) -> {
			((ConnectionListener) Objects.requireNonNull(argument)[0]).onCreate(spring);
			return null;
		});
	}

	private @Nullable Object connection(String method, Object @Nullable [] arguments) throws Exception {
		if (method.equals("createChannel")) {
			if (this.noChannel != null) {
				throw this.noChannel;
			}
			this.commands.add(method);
			return this.channel;
		}
		this.blocked = (BlockedCallback) Objects.requireNonNull(arguments)[0];
		this.unblocked = (UnblockedCallback) arguments[1];
		return null;
	}

	private @Nullable Object command(String method, Object @Nullable [] arguments) throws Exception {
		if (method.equals("getConnection")) {
			return this.connection;
		}
		if (method.equals("exchangeDeclarePassive") && this.noExchange != null) {
			throw this.noExchange;
		}
		this.commands.add((arguments != null) ? method + " " + arguments[0] : method);
		return null;
	}

	private static <T> T proxy(Class<T> type, Answer answer) {
		return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type },
				(proxy, method, arguments) -> switch (method.getName()) {
					case "hashCode" -> System.identityHashCode(proxy);
					case "equals" -> proxy == arguments[0];
					default -> answer.to(method.getName(), arguments);
				}));
	}

	private interface Answer {

		@Nullable Object to(String method, Object @Nullable [] arguments) throws Exception;

	}

}
