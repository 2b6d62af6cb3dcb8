/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.internal.topology.DelayLadder;
import org.awaitility.Awaitility;
import tools.jackson.databind.json.JsonMapper;

/**
 * The broker as somebody sees it who does not use the starter.
 */
public final class TestBroker implements AutoCloseable {

	private final Connection connection;

	private final Channel channel;

	private final String virtualHost;

	private TestBroker(Connection connection, String virtualHost) throws IOException {
		this.connection = connection;
		this.virtualHost = virtualHost;
		this.channel = connection.createChannel();
		this.channel.confirmSelect();
	}

	/**
	 * Connects to the broker of this JVM.
	 * @return the connection
	 */
	public static TestBroker connect() {
		return connect(Broker.shared());
	}

	/**
	 * Connects to another broker.
	 * @param broker the broker
	 * @return the connection
	 */
	public static TestBroker connect(Broker broker) {
		return connect(broker, broker.virtualHost());
	}

	/**
	 * Connects to another virtual host of the broker of this JVM.
	 * @param virtualHost its name
	 * @return the connection
	 */
	public static TestBroker connect(String virtualHost) {
		return connect(Broker.shared(), virtualHost);
	}

	private static TestBroker connect(Broker broker, String virtualHost) {
		try {
			ConnectionFactory factory = new ConnectionFactory();
			factory.setUri(broker.amqpUri());
			factory.setVirtualHost(virtualHost);
			return new TestBroker(factory.newConnection("test"), virtualHost);
		}
		catch (IOException | TimeoutException | URISyntaxException | GeneralSecurityException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * The properties that lead an application to the broker.
	 * @return {@code spring.rabbitmq} properties as arguments
	 */
	public static List<String> arguments() {
		Broker broker = Broker.shared();
		return List.of("--spring.rabbitmq.host=" + broker.host(), "--spring.rabbitmq.port=" + broker.port(),
				"--spring.rabbitmq.username=" + broker.username(), "--spring.rabbitmq.password=" + broker.password(),
				"--spring.rabbitmq.virtual-host=" + broker.virtualHost());
	}

	/**
	 * The channel, for whatever has no method here.
	 * @return an open channel in confirm mode
	 */
	public Channel channel() {
		return this.channel;
	}

	/**
	 * Publishes to a queue and waits for the confirm.
	 * @param queue the queue
	 * @param properties the properties
	 * @param body the body
	 */
	public void send(String queue, BasicProperties properties, String body) {
		send(queue, properties, body.getBytes());
	}

	/**
	 * Publishes to a queue and waits for the confirm.
	 * @param queue the queue
	 * @param properties the properties
	 * @param body the body
	 */
	public void send(String queue, BasicProperties properties, byte[] body) {
		try {
			this.channel.basicPublish("", queue, true, properties, body);
			this.channel.waitForConfirmsOrDie(10_000);
		}
		catch (IOException | InterruptedException | TimeoutException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Publishes a persistent JSON message to a queue and waits for the confirm.
	 * @param queue the queue
	 * @param id the message id
	 * @param headers the headers
	 * @param body the body
	 */
	public void sendJson(String queue, String id, Map<String, Object> headers, String body) {
		send(queue, json(id).headers(headers).build(), body);
	}

	/**
	 * Properties of a persistent JSON message.
	 * @param id the message id
	 * @return the builder
	 */
	public static BasicProperties.Builder json(String id) {
		return new BasicProperties.Builder().contentType("application/json").deliveryMode(2).messageId(id);
	}

	/**
	 * Takes a message.
	 * @param queue the queue
	 * @return the message, waited for at most 30 seconds
	 */
	public GetResponse take(String queue) {
		return Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.pollInterval(Duration.ofMillis(20))
			.until(() -> this.channel.basicGet(queue, true), (message) -> message != null);
	}

	/**
	 * Takes all messages that are there now.
	 * @param queue the queue
	 * @return the messages
	 */
	public List<GetResponse> drain(String queue) {
		try {
			List<GetResponse> messages = new ArrayList<>();
			GetResponse message = this.channel.basicGet(queue, true);
			while (message != null) {
				messages.add(message);
				message = this.channel.basicGet(queue, true);
			}
			return messages;
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Removes all messages that are there now, also those that no client can read.
	 * @param queue the queue
	 */
	public void purge(String queue) {
		try {
			this.channel.queuePurge(queue);
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Counts ready messages.
	 * @param queue the queue
	 * @return the number
	 */
	public long ready(String queue) {
		try {
			return this.channel.messageCount(queue);
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Whether a queue exists and has a consumer. A quorum queue that has none may be
	 * without a leader still, and refuses what is published to it then.
	 * @param queue the queue
	 * @return whether it is consumed
	 */
	public boolean isConsumed(String queue) {
		try {
			return queues(queue).contains(queue) && this.channel.consumerCount(queue) > 0;
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Counts what is in the last queue of the virtual host.
	 * @return the number, 0 also if the queue is not there
	 */
	public long unroutable() {
		return hasLastQueue() ? ready(DelayLadder.UNROUTABLE) : 0;
	}

	/** Removes all messages of the last queue of the virtual host, if it is there. */
	public void purgeUnroutable() {
		if (hasLastQueue()) {
			purge(DelayLadder.UNROUTABLE);
		}
	}

	private boolean hasLastQueue() {
		return !queues(DelayLadder.UNROUTABLE).isEmpty();
	}

	/**
	 * The headers of a message as text.
	 * @param message the message
	 * @return the headers
	 */
	public static Map<String, Object> text(GetResponse message) {
		Map<String, Object> text = new TreeMap<>();
		message.getProps().getHeaders().forEach((name, value) -> text.put(name, String.valueOf(value)));
		return text;
	}

	/**
	 * Deletes all queues and exchanges of a work queue.
	 * @param queue the work queue
	 */
	public void deleteAll(String queue) {
		try {
			for (String name : names("queues", queue)) {
				this.channel.queueDelete(name);
			}
			for (String name : names("exchanges", queue)) {
				this.channel.exchangeDelete(name);
			}
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * The queues of a work queue.
	 * @param prefix the work queue
	 * @return the names that are its or begin with it and a dot
	 */
	public List<String> queues(String prefix) {
		return names("queues", prefix);
	}

	/**
	 * The exchanges of a work queue.
	 * @param prefix the work queue
	 * @return the names that are its or begin with it and a dot
	 */
	public List<String> exchanges(String prefix) {
		return names("exchanges", prefix);
	}

	private List<String> names(String kind, String prefix) {
		String host = URLEncoder.encode(this.virtualHost, StandardCharsets.UTF_8);
		String json = Broker.shared().management().get("/api/" + kind + "/" + host + "?columns=name");
		return JsonMapper.shared()
			.readTree(json)
			.valueStream()
			.map((node) -> node.path("name").asString())
			.filter((name) -> name.equals(prefix) || name.startsWith(prefix + "."))
			.toList();
	}

	@Override
	public void close() {
		// one that recovers at this moment has to end as well
		this.connection.abort();
	}

}
