/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.handover;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConfirmListener;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ReturnListener;
import com.rabbitmq.client.ShutdownListener;
import com.rabbitmq.client.ShutdownSignalException;
import org.jspecify.annotations.Nullable;

/**
 * A channel whose broker is the test.
 */
final class FakeChannel implements InvocationHandler {

	/** Sequence number by sequence number, from 1, as a broker counts. */
	final List<BasicProperties> published = new CopyOnWriteArrayList<>();

	/** Where each was published to, and whether it must find a queue. */
	final List<String> routes = new CopyOnWriteArrayList<>();

	final List<Long> acknowledged = new CopyOnWriteArrayList<>();

	final List<Long> givenBack = new CopyOnWriteArrayList<>();

	private final List<ShutdownListener> shutdownListeners = new ArrayList<>();

	private final Channel channel = (Channel) Proxy.newProxyInstance(getClass().getClassLoader(),
			new Class<?>[] { Channel.class }, this);

	private @Nullable ConfirmListener confirms;

	private @Nullable ReturnListener returns;

	private volatile boolean open = true;

	private long next = 1;

	/** Runs inside of the next publishing, before it is sent. */
	@Nullable Runnable meanwhile;

	/** Thrown by the next publishing, after it is counted. */
	@Nullable Throwable failure;

	/** Thrown by the next publishing, before it is counted. */
	@Nullable Error notCounted;

	Channel channel() {
		return this.channel;
	}

	/** A connection that gives this channel. */
	Connection connection() {
		return (Connection) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { Connection.class },
				(proxy, method, arguments) -> switch (method.getName()) {
					case "createChannel" -> this.channel;
					case "getFrameMax" -> 131_072;
					case "isOpen" -> true;
					default -> throw new UnsupportedOperationException(method.toString());
				});
	}

	void ack(long sequence, boolean multiple) throws IOException {
		Objects.requireNonNull(this.confirms).handleAck(sequence, multiple);
	}

	void nack(long sequence, boolean multiple) throws IOException {
		Objects.requireNonNull(this.confirms).handleNack(sequence, multiple);
	}

	void giveBack(long sequence) throws IOException {
		Objects.requireNonNull(this.returns)
			.handleReturn(312, "NO_ROUTE", "ring", "queue", this.published.get((int) sequence - 1), new byte[0]);
	}

	void shutDown() {
		close(signal());
	}

	/** As a connection ends, or the client closes a channel. */
	void shutDown(boolean hardError, boolean byApplication) {
		close(new ShutdownSignalException(hardError, byApplication, null, this.channel));
	}

	/** As the broker closes a channel. */
	void shutDown(int replyCode, String replyText) {
		close(signal(replyCode, replyText));
	}

	/** As the client does when a channel is aborted that is closed already. */
	void shutDownAgain(int replyCode, String replyText) {
		this.shutdownListeners.forEach((listener) -> listener.shutdownCompleted(signal(replyCode, replyText)));
	}

	private ShutdownSignalException signal(int replyCode, String replyText) {
		return new ShutdownSignalException(false, false,
				new AMQP.Channel.Close.Builder().replyCode(replyCode)
					.replyText(replyText)
					.classId(60)
					.methodId(40)
					.build(),
				this.channel);
	}

	private void close(ShutdownSignalException signal) {
		boolean first = this.open;
		this.open = false;
		if (first) {
			this.shutdownListeners.forEach((listener) -> listener.shutdownCompleted(signal));
		}
	}

	boolean isOpen() {
		return this.open;
	}

	private ShutdownSignalException signal() {
		return new ShutdownSignalException(false, false, null, this.channel);
	}

	@Override
	public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
		return switch (method.getName()) {
			case "isOpen" -> this.open;
			case "getConnection" -> connection();
			case "confirmSelect" -> null;
			case "getNextPublishSeqNo" -> {
				Error thrown = this.notCounted;
				this.notCounted = null;
				if (thrown != null) {
					throw thrown;
				}
				yield this.next;
			}
			case "addConfirmListener" -> {
				this.confirms = (ConfirmListener) argument(arguments, 0);
				yield null;
			}
			case "addReturnListener" -> {
				this.returns = (ReturnListener) argument(arguments, 0);
				yield null;
			}
			case "addShutdownListener" -> {
				this.shutdownListeners.add((ShutdownListener) argument(arguments, 0));
				yield null;
			}
			case "basicPublish" -> {
				this.routes
					.add("%s %s %s".formatted(argument(arguments, 0), argument(arguments, 1), argument(arguments, 2)));
				yield publish((BasicProperties) argument(arguments, 3));
			}
			case "basicAck" -> settle(this.acknowledged, arguments);
			case "basicNack" -> settle(this.givenBack, arguments);
			case "abort" -> {
				shutDown();
				yield null;
			}
			default -> throw new UnsupportedOperationException(method.toString());
		};
	}

	private @Nullable Object publish(BasicProperties properties) throws Throwable {
		this.next++;
		Runnable then = this.meanwhile;
		this.meanwhile = null;
		if (then != null) {
			then.run();
		}
		if (!this.open) {
			throw new AlreadyClosedException(signal());
		}
		Throwable thrown = this.failure;
		this.failure = null;
		if (thrown != null) {
			throw thrown;
		}
		this.published.add(properties);
		return null;
	}

	private @Nullable Object settle(List<Long> settled, Object @Nullable [] arguments) {
		if (!this.open) {
			throw new AlreadyClosedException(signal());
		}
		settled.add((Long) argument(arguments, 0));
		return null;
	}

	private static Object argument(Object @Nullable [] arguments, int index) {
		return Objects.requireNonNull(arguments)[index];
	}

}
