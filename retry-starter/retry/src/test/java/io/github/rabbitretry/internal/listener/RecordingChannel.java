/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Command;
import com.rabbitmq.client.ConfirmListener;
import com.rabbitmq.client.Connection;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;

/**
 * A channel without a broker: writes down what is settled and published, and confirms
 * every publication at once.
 */
public class RecordingChannel {

	private final List<String> settled = new CopyOnWriteArrayList<>();

	private final List<Long> acknowledged = new CopyOnWriteArrayList<>();

	private final List<Published> published = new CopyOnWriteArrayList<>();

	private final List<ConfirmListener> confirmListeners = new CopyOnWriteArrayList<>();

	private final Map<String, Object> serverProperties = new ConcurrentHashMap<>();

	private volatile boolean broken;

	private volatile boolean withheld;

	private final Channel channel = proxy(Channel.class, this);

	private final Connection connection = proxy(Connection.class,
			new OpenConnection(this.channel, this.serverProperties));

	public void brokerVersion(String version) {
		this.serverProperties.put("version", version);
	}

	/** Publishing fails in a way that nobody expects. */
	public void breakPublishing() {
		this.broken = true;
	}

	/** The broker confirms nothing until {@link #confirmAll()}. */
	public void withholdConfirms() {
		this.withheld = true;
	}

	public void confirmAll() throws Exception {
		this.withheld = false;
		for (ConfirmListener listener : this.confirmListeners) {
			listener.handleAck(this.published.size(), true);
		}
	}

	public Channel channel() {
		return this.channel;
	}

	public List<String> settled() {
		return this.settled;
	}

	/** The tags of what is acknowledged. */
	public List<Long> acknowledged() {
		return this.acknowledged;
	}

	public List<Published> published() {
		return this.published;
	}

	public ConnectionFactory connectionFactory() {
		Object springConnection = proxy(org.springframework.amqp.rabbit.connection.Connection.class,
				new SpringConnection(this.connection));
		return proxy(ConnectionFactory.class,
				new Factory((org.springframework.amqp.rabbit.connection.Connection) springConnection));
	}

	// called by name

	public boolean isOpen() {
		return true;
	}

	public Connection getConnection() {
		return this.connection;
	}

	public long getNextPublishSeqNo() {
		if (this.broken) {
			this.broken = false;
			throw new LinkageError("for once");
		}
		return this.published.size() + 1;
	}

	public void addConfirmListener(ConfirmListener listener) {
		this.confirmListeners.add(listener);
	}

	public CompletableFuture<Command> asyncCompletableRpc(com.rabbitmq.client.Method method) {
		this.settled.add(method.protocolMethodName());
		return CompletableFuture.completedFuture(null);
	}

	public void close() {
		this.settled.add("close");
	}

	public void basicAck(long tag, boolean multiple) {
		this.settled.add(multiple ? "ack all" : "ack");
		this.acknowledged.add(tag);
	}

	public void basicNack(long tag, boolean multiple, boolean requeue) {
		this.settled.add((multiple ? "nack all" : "nack") + (requeue ? " requeue" : ""));
	}

	public void basicReject(long tag, boolean requeue) {
		this.settled.add("reject" + (requeue ? " requeue" : ""));
	}

	public void basicPublish(String exchange, String routingKey, boolean mandatory, BasicProperties properties,
			byte[] body) throws Exception {
		this.published.add(new Published(exchange, routingKey, properties, body, mandatory));
		if (this.withheld) {
			return;
		}
		for (ConfirmListener listener : this.confirmListeners) {
			listener.handleAck(this.published.size(), false);
		}
	}

	/** Calls the method of that name that the target has, and does nothing otherwise. */
	@SuppressWarnings("unchecked")
	private static <T> T proxy(Class<T> type, Object target) {
		return (T) Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type },
				(proxy, method, arguments) -> call(target, method, (arguments != null) ? arguments : new Object[0]));
	}

	private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
		try {
			return target.getClass().getMethod(method.getName(), method.getParameterTypes()).invoke(target, arguments);
		}
		catch (InvocationTargetException ex) {
			throw ex.getTargetException();
		}
		catch (NoSuchMethodException ex) {
			return null;
		}
	}

	/** One publication. */
	public record Published(String exchange, String routingKey, BasicProperties properties, byte[] body,
			boolean mandatory) {

		public Map<String, Object> headers() {
			return this.properties.getHeaders();
		}

	}

	/**
	 * The connection, as far as it is asked for.
	 *
	 * @param createChannel the one channel
	 * @param getServerProperties what the broker tells of itself
	 */
	public record OpenConnection(Channel createChannel, Map<String, Object> getServerProperties) {

		public boolean isOpen() {
			return true;
		}

		public int getFrameMax() {
			return 131_072;
		}

	}

	/**
	 * Spring's wrapper of it.
	 *
	 * @param getDelegate the connection
	 */
	public record SpringConnection(Connection getDelegate) {
	}

	/**
	 * Leads to it.
	 *
	 * @param createConnection the one connection
	 */
	public record Factory(org.springframework.amqp.rabbit.connection.Connection createConnection) {
	}

}
