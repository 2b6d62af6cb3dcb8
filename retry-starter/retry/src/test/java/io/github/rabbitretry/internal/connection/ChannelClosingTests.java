/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.connection;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ChannelClosingTests {

	private final List<String> commands = new ArrayList<>();

	private boolean open = true;

	/** How often there is no memory, and whether the client counts it as closed then. */
	private int failures;

	private boolean closedByFailure;

	private final Connection connection = (Connection) Proxy.newProxyInstance(getClass().getClassLoader(),
			new Class<?>[] { Connection.class }, (proxy, method, arguments) -> {
				this.commands.add("connection " + method.getName() + " " + arguments[0]);
				return null;
			});

	private final Channel channel = (Channel) Proxy.newProxyInstance(getClass().getClassLoader(),
			new Class<?>[] { Channel.class }, this::command);

	@Test
	void aChannelIsClosedOnce() throws Exception {
		new ChannelClosing(this.channel, this.channel::abort).complete();
		assertThat(this.commands).containsExactly("abort");
	}

	@Test
	void withoutMemoryItIsTriedAgain() throws Exception {
		this.failures = 2;
		new ChannelClosing(this.channel, this.channel::abort).complete();
		assertThat(this.commands).containsExactly("abort");
	}

	/** The broker may not know, and would wait for the deliveries to be settled. */
	@Test
	void aChannelThatOnlyTheClientCountsAsClosedEndsItsConnection() throws Exception {
		this.failures = 1;
		this.closedByFailure = true;
		new ChannelClosing(this.channel, this.channel::abort).complete();
		assertThat(this.commands).containsExactly("connection abort " + AMQP.INTERNAL_ERROR);
	}

	@Test
	void aChannelThatWasClosedBeforeLeavesItsConnectionAlone() throws Exception {
		this.open = false;
		new ChannelClosing(this.channel, this.channel::abort).complete();
		assertThat(this.commands).containsExactly("abort");
	}

	private @Nullable Object command(Object proxy, Method method, Object[] arguments) {
		switch (method.getName()) {
			case "isOpen":
				return this.open;
			case "getConnection":
				return this.connection;
			default:
				if (this.failures > 0) {
					this.failures--;
					this.open = !this.closedByFailure;
					throw new OutOfMemoryError("a test");
				}
				this.commands.add(method.getName());
				return null;
		}
	}

}
