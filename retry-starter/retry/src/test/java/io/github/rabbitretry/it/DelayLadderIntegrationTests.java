/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.LongString;
import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.internal.message.BrokerHeaders;
import io.github.rabbitretry.internal.topology.BindingDefinition;
import io.github.rabbitretry.internal.topology.DelayLadder;
import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.internal.topology.RetryQueueScope;
import io.github.rabbitretry.topology.DelayRoute;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.core.Binding.DestinationType;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

class DelayLadderIntegrationTests {

	private static final byte[] BODY = new byte[1024];

	static {
		new Random(1).nextBytes(BODY);
	}

	/** Names that a careless binding would mix up. */
	private static final List<String> LIKE_EACH_OTHER = List.of("a.b", "x.a.b", "b", "a", "0.a.b", "1.1", "a..b", ".a",
			"a.", "a b/ü*#");

	private static Broker broker;

	private Connection connection;

	private Channel channel;

	@BeforeAll
	static void start() {
		broker = Broker.start();
	}

	@AfterAll
	static void stop() {
		broker.close();
	}

	@BeforeEach
	void connect() throws Exception {
		ConnectionFactory factory = new ConnectionFactory();
		factory.setUri(broker.amqpUri());
		factory.setAutomaticRecoveryEnabled(false);
		this.connection = factory.newConnection("test");
		this.channel = this.connection.createChannel();
		this.channel.confirmSelect();
	}

	@AfterEach
	void disconnect() throws Exception {
		this.connection.close();
	}

	@Test
	void bringsEachMessageToItsOwnQueueOnceNeverEarlyAndUnchanged() throws Exception {
		// 1 to 4 hops each
		List<Duration> delays = Stream.of(1, 250, 1_000, 1_750, 3_700).map(Duration::ofMillis).toList();
		for (String queue : LIKE_EACH_OTHER) {
			declare(shared(queue));
		}
		for (String queue : LIKE_EACH_OTHER) {
			for (Duration delay : delays) {
				publish(shared(queue), delay);
			}
		}
		this.channel.waitForConfirmsOrDie(10_000);
		for (String queue : LIKE_EACH_OTHER) {
			List<String> ids = new ArrayList<>();
			for (int i = 0; i < delays.size(); i++) {
				GetResponse message = take(queue);
				assertUnchanged(message, queue);
				ids.add(message.getProps().getMessageId());
			}
			assertThat(ids).as(queue)
				.containsExactlyInAnyOrderElementsOf(delays.stream().map(Duration::toString).toList());
		}
		pause(Duration.ofSeconds(1));
		for (String queue : LIKE_EACH_OTHER) {
			assertThat(this.channel.messageCount(queue)).as(queue).isZero();
		}
	}

	@Test
	void bringsAMessageOnceWhereTheLevelsAreBoundToEachOtherToo() throws Exception {
		MessageTopology topology = shared("both");
		declare(topology);
		List<String> levels = List.of("delivery", "250ms", "500ms", "1s", "2s");
		for (int i = 1; i < levels.size(); i++) {
			// as by builds before the exchanges were bound to all levels below
			this.channel.exchangeBind(DelayLadder.NAME + "." + levels.get(i - 1),
					DelayLadder.NAME + "." + levels.get(i), "*.".repeat(22 - i) + "0.#");
		}
		publish(topology, Duration.ofMillis(4_000));
		publish(topology, Duration.ofMillis(4_250));
		publish(topology, Duration.ofMillis(5_500));
		this.channel.waitForConfirmsOrDie(10_000);
		for (int i = 0; i < 3; i++) {
			assertUnchanged(take("both"), "both");
		}
		pause(Duration.ofSeconds(1));
		assertThat(this.channel.messageCount("both")).isZero();
	}

	@Test
	void losesNothingWhenTheBrokerIsKilledInTheMiddleOfTheWait() throws Exception {
		assumeTrue(broker.canControl(), "a broker that is only named can't be killed");
		MessageTopology topology = shared("killed");
		declare(topology);
		Random random = new Random(3);
		Set<String> sent = new TreeSet<>();
		for (int i = 0; i < 500; i++) {
			sent.add(publish(topology, Duration.ofMillis(2_000 + 10 * i + random.nextInt(10))));
		}
		this.channel.waitForConfirmsOrDie(10_000);
		pause(Duration.ofSeconds(2));
		broker.kill();
		broker.startAgain();
		broker.ctl("eval", "application:set_env(rabbit, dead_letter_worker_publisher_confirm_timeout, 3000), "
				// those that began with the broker know the default, 180 s
				+ "[exit(Worker, kill) || {_, Worker, _, _} <- supervisor:which_children(rabbit_fifo_dlx_sup)].");
		connect();
		Set<String> back = new TreeSet<>();
		while (!back.equals(sent)) {
			GetResponse message = take("killed");
			assertUnchanged(message, "killed");
			assertThat(sent).contains(message.getProps().getMessageId());
			back.add(message.getProps().getMessageId());
		}
	}

	@Test
	void waitsForARandomTimeAndThenInTheLevelsOwnQueue() throws Exception {
		MessageTopology topology = MessageTopology.of("jittered")
			.delays(List.of(Duration.ofSeconds(1)))
			.jittered(true)
			.build();
		declare(topology);
		DelayRoute route = topology.route(Duration.ofMillis(1_750));
		assertThat(route.routingKey()).endsWith(".jittered.retry.1s");
		publish(topology, Duration.ofMillis(1_750));
		this.channel.waitForConfirmsOrDie(10_000);
		Awaitility.await()
			.pollInterval(Duration.ofMillis(20))
			.until(() -> this.channel.messageCount("jittered.retry.1s") == 1);
		assertUnchanged(take("jittered"), "jittered");
	}

	@Test
	void aDeletedQueueStallsNobodyAndItsMessagesCanComeBack() throws Exception {
		declare(shared("here"));
		declare(shared("gone"));
		this.channel.queuePurge(DelayLadder.UNROUTABLE);
		// more than the places that one level has for what it hands on
		for (int i = 0; i < 100; i++) {
			publish(shared("gone"), Duration.ofSeconds(2));
		}
		publish(shared("here"), Duration.ofSeconds(2));
		this.channel.queueDelete("gone");
		this.channel.waitForConfirmsOrDie(10_000);
		assertUnchanged(take("here"), "here");
		Awaitility.await().until(() -> this.channel.messageCount(DelayLadder.UNROUTABLE) == 100);
		declare(shared("gone"));
		for (int i = 0; i < 100; i++) {
			// what a shovel does
			GetResponse message = take(DelayLadder.UNROUTABLE);
			this.channel.basicPublish(DelayLadder.NAME + ".delivery", message.getEnvelope().getRoutingKey(), true,
					message.getProps(), message.getBody());
		}
		this.channel.waitForConfirmsOrDie(10_000);
		for (int i = 0; i < 100; i++) {
			assertUnchanged(take("gone"), "gone");
		}
		assertThat(this.channel.messageCount(DelayLadder.UNROUTABLE)).isZero();
	}

	private static void assertUnchanged(GetResponse message, String queue) {
		long now = System.currentTimeMillis();
		BasicProperties properties = message.getProps();
		Map<String, Object> headers = properties.getHeaders();
		assertThat(message.getBody()).isEqualTo(BODY);
		assertThat(headers.get("queue")).hasToString(queue);
		assertThat(now - (long) headers.get("at")).isGreaterThanOrEqualTo((long) headers.get("asked"));
		headers.keySet().removeIf(BrokerHeaders::madeByBroker);
		headers.replaceAll((name, value) -> (value instanceof LongString text) ? text.toString() : value);
		assertThat(properties)
			.isEqualTo(properties(queue, Duration.parse(properties.getMessageId()), (long) headers.get("at")));
	}

	private GetResponse take(String queue) {
		return Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.pollInterval(Duration.ofMillis(10))
			.until(() -> this.channel.basicGet(queue, true), (message) -> message != null);
	}

	private static void pause(Duration duration) {
		Awaitility.await().pollDelay(duration).until(() -> true);
	}

	private static MessageTopology shared(String queue) {
		return MessageTopology.of(queue).ring(RetryQueueScope.SHARED).build();
	}

	/** Publishes as the hand-over does, and returns the message's id. */
	private String publish(MessageTopology topology, Duration delay) throws Exception {
		DelayRoute route = topology.route(delay);
		assertThat(route.delay()).isBetween(delay, delay.plusMillis(250));
		BasicProperties properties = properties(topology.queue(), delay, System.currentTimeMillis());
		this.channel.basicPublish(route.exchange(), route.routingKey(), true, properties, BODY);
		return properties.getMessageId();
	}

	private static BasicProperties properties(String queue, Duration delay, long at) {
		return new BasicProperties.Builder().deliveryMode(2)
			.contentType("application/json")
			.contentEncoding("gzip")
			.priority(3)
			.correlationId("correlation")
			.replyTo("reply")
			.messageId(delay.toString())
			.timestamp(new Date(1_700_000_000_000L))
			.type("type")
			.appId("app")
			.headers(Map.of("queue", queue, "asked", delay.toMillis(), "at", at, "nested",
					Map.of("a", List.of(1, true))))
			.build();
	}

	private void declare(MessageTopology topology) throws Exception {
		for (var exchange : topology.exchanges()) {
			this.channel.exchangeDeclare(exchange.name(), exchange.type(), true, false, exchange.arguments());
		}
		for (var queue : topology.queues()) {
			this.channel.queueDeclare(queue.name(), true, false, false, queue.arguments());
		}
		for (BindingDefinition binding : topology.bindings()) {
			if (binding.type() == DestinationType.QUEUE) {
				this.channel.queueBind(binding.destination(), binding.exchange(), binding.routingKey());
			}
			else {
				this.channel.exchangeBind(binding.destination(), binding.exchange(), binding.routingKey());
			}
		}
	}

}
