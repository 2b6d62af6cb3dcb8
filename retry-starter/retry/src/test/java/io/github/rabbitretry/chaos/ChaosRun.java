/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.ShutdownSignalException;
import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.internal.topology.QueueDefinition;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.Binding.DestinationType;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * One run: numbered messages, a worker, evidence, an account.
 */
final class ChaosRun implements AutoCloseable {

	static final String TYPE = "Chaos";

	private static final int PORTION = 1_000;

	private final ChaosServers servers;

	private final Path folder;

	private final long seed;

	private final boolean ordered;

	private final MessageTopology topology;

	private final Evidence evidence;

	private final Set<Integer> sent = new TreeSet<>();

	private final Set<Integer> unconfirmed = new TreeSet<>();

	private final Map<Integer, List<String>> parked = new TreeMap<>();

	private final List<Integer> parkedInOrder = new ArrayList<>();

	private Connection connection;

	ChaosRun(Broker broker, Path folder, String queue) {
		this(ChaosServers.of(broker), folder, queue);
	}

	ChaosRun(ChaosServers servers, Path folder, String queue) {
		this(servers, folder, queue, new Random().nextLong(), false);
	}

	ChaosRun(ChaosServers servers, Path folder, String queue, long seed, boolean ordered) {
		this.servers = servers;
		this.folder = folder;
		this.seed = seed;
		this.ordered = ordered;
		this.topology = MessageTopology.of(queue).delays(List.of(Duration.ofMillis(500))).quarantine(!ordered).build();
		this.evidence = new Evidence(folder.resolve("handled.txt"));
		this.connection = servers.connect("chaos");
		say("seed " + seed + ", " + servers.broker().description());
	}

	static List<Integer> numbers(int from, int to) {
		return IntStream.range(from, to).boxed().toList();
	}

	/** What is printed belongs to the run's numbers. */
	void say(String text) {
		System.out.printf("%s: %s%n", this.topology.queue(), text);
	}

	Random random() {
		return new Random(this.seed);
	}

	/** Whether the messages of a key are kept in order. */
	boolean ordered() {
		return this.ordered;
	}

	MessageTopology topology() {
		return this.topology;
	}

	Evidence evidence() {
		return this.evidence;
	}

	Path folder() {
		return this.folder;
	}

	/** Waits for a time. */
	static void pause(Duration duration) {
		Awaitility.await().pollDelay(duration).atMost(duration.plusSeconds(30)).until(() -> true);
	}

	String[] arguments(String... more) {
		List<String> arguments = new ArrayList<>(this.servers.arguments());
		arguments.addAll(List.of("--spring.rabbitmq.listener.simple.concurrency=2",
				"--spring.rabbitmq.listener.direct.consumers-per-queue=2", "--spring.main.banner-mode=off",
				"--spring.application.name=chaos", "--logging.level.io.github.rabbitretry.decisions=warn",
				"--chaos.queue=" + this.topology.queue(), "--chaos.evidence=" + this.folder.resolve("handled.txt"),
				"--rabbit-retry.message-policies.Chaos.queue=" + this.topology.queue(),
				"--rabbit-retry.message-policies.Chaos.retry-backoff=fixed",
				"--rabbit-retry.message-policies.Chaos.initial-delay=500ms",
				"--rabbit-retry.message-policies.Chaos.broker-attempts=3",
				"--rabbit-retry.message-policies.Chaos.local-attempts=1",
				"--rabbit-retry.classification.rules[0].exception=" + MessageFate.ImpossibleException.class.getName(),
				"--rabbit-retry.classification.rules[0].failure-class=permanent-business",
				"--rabbit-retry.classification.rules[0].reason=IMPOSSIBLE"));
		if (this.ordered) {
			arguments.addAll(List.of("--rabbit-retry.message-policies.Chaos.ordering=key",
					"--rabbit-retry.message-policies.Chaos.ordering-key=header:key",
					// a kill counts for all that the worker holds
					"--rabbit-retry.message-policies.Chaos.delivery-limit=1000"));
		}
		arguments.addAll(List.of(more));
		Map<String, String> last = new LinkedHashMap<>();
		arguments.forEach((argument) -> last.put(argument.substring(0, argument.indexOf('=')), argument));
		return last.values().toArray(String[]::new);
	}

	/** Starts the worker in this JVM. */
	ConfigurableApplicationContext start(String... more) {
		return ChaosApplication.run(arguments(more));
	}

	/** Declares the whole topology, or what is missing of it. */
	void declare() {
		on((channel) -> {
			this.topology.exchanges()
				.forEach((model) -> unchecked(
						() -> channel.exchangeDeclare(model.name(), model.type(), true, false, model.arguments())));
			this.topology.queues()
				.forEach((model) -> unchecked(
						() -> channel.queueDeclare(model.name(), true, false, false, model.arguments())));
			this.topology.bindings().forEach((model) -> unchecked(() -> {
				if (model.type() == DestinationType.QUEUE) {
					channel.queueBind(model.destination(), model.exchange(), model.routingKey());
				}
				else {
					channel.exchangeBind(model.destination(), model.exchange(), model.routingKey());
				}
			}));
		});
	}

	/** Publishes messages to the work queue, each confirmed when this returns. */
	void publish(Collection<Integer> numbers) {
		on((channel) -> {
			channel.confirmSelect();
			int published = 0;
			for (Integer number : numbers) {
				channel.basicPublish("", this.topology.queue(), true,
						new BasicProperties.Builder().contentType("text/plain")
							.deliveryMode(2)
							.messageId("m-" + number)
							.build(),
						number.toString().getBytes());
				if (++published % PORTION == 0) {
					channel.waitForConfirmsOrDie(60_000);
				}
			}
			channel.waitForConfirmsOrDie(60_000);
		});
		this.sent.addAll(numbers);
	}

	/** A producer next to the run, for as long as its servers come and go. */
	ChaosProducer producer(int messages, int perSecond) {
		return new ChaosProducer(this.servers, this.topology.queue(), this.sent.size(), messages, perSecond);
	}

	/**
	 * Counts a producer's messages as sent. Those that were not confirmed count if they
	 * arrived: nobody knows whether the broker took them.
	 */
	void add(ChaosProducer producer) {
		this.sent.addAll(producer.confirmed());
		this.unconfirmed.addAll(producer.unconfirmed());
	}

	/**
	 * Publishes until so many are ready at least. What is done to a worker is done while
	 * it works, and little is left to be worked off when nothing is done any more.
	 */
	void keepBusy(int messages) {
		while (ready(this.topology.queue()) < messages) {
			publish(numbers(this.sent.size(), this.sent.size() + PORTION));
		}
	}

	long ready(String queue) {
		long[] count = new long[1];
		on((channel) -> count[0] = channel.messageCount(queue));
		return count[0];
	}

	/** Messages that are not at their end yet, without those that a worker has. */
	long underWay() {
		return ready(this.topology.queue()) + (this.ordered ? 0 : ready(this.topology.quarantine()))
				+ ready(this.topology.deadLetterQueue())
				+ ready(this.topology.retryQueue(this.topology.levels().get(0)));
	}

	/**
	 * Waits until nothing was under way for longer than a retry takes, and nothing is
	 * hidden either: what the broker is dead-lettering from a retry queue is neither
	 * ready nor unacknowledged there.
	 */
	void awaitCalm() {
		awaitCalm(Duration.ofMillis(1_500));
	}

	/** Nothing is under way for that long. */
	void awaitCalm(Duration during) {
		Awaitility.await()
			.atMost(Duration.ofMinutes(5))
			.pollInterval(Duration.ofMillis(100))
			.during(during)
			.until(() -> underWay() == 0);
		Map<String, Long> hidden = held();
		hidden.keySet().retainAll(retryQueues());
		if (!hidden.isEmpty()) {
			say("the broker has yet to dead-letter again " + hidden);
			Awaitility.await()
				.atMost(Duration.ofMinutes(5))
				.pollInterval(Duration.ofSeconds(1))
				.until(() -> Collections.disjoint(held().keySet(), retryQueues()));
			awaitCalm(during);
		}
	}

	/**
	 * Waits until no queue but the parking lot has had a message for that long, neither
	 * ready nor unacknowledged nor being dead-lettered. One that the broker dead-letters
	 * late is never ready while a consumer waits for it.
	 * @return {@code false} if the broker keeps messages for a consumer whose channel
	 * does not have them. After the election of a leader a delivery may never arrive, and
	 * no other consumer gets the message until that one is closed (rabbitmq-server#15473)
	 */
	boolean awaitEmpty(Duration during) {
		try {
			Awaitility.await()
				.atMost(Duration.ofMinutes(2))
				.pollInterval(Duration.ofSeconds(1))
				.during(during)
				.untilAsserted(() -> assertThat(held()).isEmpty());
			return true;
		}
		catch (ConditionTimeoutException ex) {
			assertThat(underWay()).isZero();
			assertThat(unacknowledgedOnChannels()).as("deliveries that consumers have, beside %s", held()).isZero();
			say("the broker keeps %s for consumers that never got them".formatted(held()));
			return false;
		}
	}

	private long unacknowledgedOnChannels() {
		return this.servers.broker()
			.ctl("-q", "list_channels", "messages_unacknowledged")
			.lines()
			.map(String::strip)
			.filter((line) -> line.matches("\\d+"))
			.mapToLong(Long::parseLong)
			.sum();
	}

	/**
	 * Sets how long the broker's running nodes wait before they dead-letter again what
	 * they could not, 180 seconds by default, and has those do so that know another time.
	 * Lasts until a node stops.
	 */
	static void deadLetterAgainAfter(Broker broker, Duration timeout) {
		broker.ctl("eval",
				("[begin rpc:call(Node, application, set_env, "
						+ "[rabbit, dead_letter_worker_publisher_confirm_timeout, %d]), "
						+ "[exit(Worker, kill) || {_, Worker, _, _} <- "
						+ "rpc:call(Node, supervisor, which_children, [rabbit_fifo_dlx_sup])] end "
						+ "|| Node <- rabbit_nodes:list_running()].")
					.formatted(timeout.toMillis()));
	}

	private List<String> retryQueues() {
		return this.topology.levels().stream().map(this.topology::retryQueue).toList();
	}

	/**
	 * All messages of each queue that has any, without the parking lot, if the broker can
	 * be asked.
	 */
	private Map<String, Long> held() {
		Broker broker = this.servers.broker();
		Map<String, Long> held = new TreeMap<>();
		if (!broker.canControl()) {
			return held;
		}
		broker.ctl("-q", "list_queues", "-p", broker.virtualHost(), "name", "messages")
			.lines()
			.map((line) -> line.split("\t"))
			.filter((columns) -> columns.length == 2 && columns[1].strip().matches("\\d+"))
			.forEach((columns) -> held.put(columns[0], Long.parseLong(columns[1].strip())));
		held.keySet().retainAll(this.topology.queues().stream().map(QueueDefinition::name).toList());
		held.remove(this.topology.parkingLot());
		held.values().removeIf((messages) -> messages == 0);
		return held;
	}

	/** The account, to be asked for after the worker ended. */
	ChaosAccount account() {
		on((channel) -> {
			BlockingQueue<Delivery> deliveries = new LinkedBlockingQueue<>();
			long expected = channel.messageCount(this.topology.parkingLot());
			while (expected > 0) {
				String consumer = channel.basicConsume(this.topology.parkingLot(), true,
						(tag, delivery) -> deliveries.add(delivery), (tag) -> {
						});
				for (long taken = 0; taken < expected; taken++) {
					parked(deliveries.poll(30, TimeUnit.SECONDS));
				}
				channel.basicCancel(consumer);
				expected = channel.messageCount(this.topology.parkingLot()) + deliveries.size();
			}
		});
		Map<Integer, Integer> handled = this.evidence.counts();
		Set<Integer> all = new TreeSet<>(this.sent);
		this.unconfirmed.stream()
			.filter((number) -> handled.containsKey(number) || this.parked.containsKey(number))
			.forEach(all::add);
		ChaosAccount account = new ChaosAccount(all, handled, this.parked);
		say(account.toString());
		return account;
	}

	/** What the account found in the parking lot. */
	List<Integer> parkedInOrder() {
		return this.parkedInOrder;
	}

	private void parked(@Nullable Delivery message) {
		assertThat(message).as("the next message of the parking lot").isNotNull();
		Integer number = Integer.valueOf(new String(message.getBody()));
		this.parkedInOrder.add(number);
		this.parked.computeIfAbsent(number, (key) -> new ArrayList<>())
			.add(String.valueOf(message.getProperties().getHeaders().get("x-app-retry-reason")));
	}

	/** Does something on a channel of its own. */
	void on(Work work) {
		try {
			if (!this.connection.isOpen()) {
				this.connection = this.servers.connect("chaos");
			}
			try (Channel channel = this.connection.createChannel()) {
				work.on(channel);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException | TimeoutException | ShutdownSignalException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void unchecked(Declaration declaration) {
		try {
			declaration.run();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void close() throws IOException {
		on((channel) -> {
			this.topology.queues().forEach((model) -> unchecked(() -> channel.queueDelete(model.name())));
			this.topology.exchanges().forEach((model) -> unchecked(() -> channel.exchangeDelete(model.name())));
		});
		this.connection.close();
	}

	interface Work {

		void on(Channel channel) throws IOException, InterruptedException, TimeoutException;

	}

	private interface Declaration {

		void run() throws IOException;

	}

}
