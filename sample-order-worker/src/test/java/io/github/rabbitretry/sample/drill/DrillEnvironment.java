/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.drill;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.sample.outside.HandledOrders;
import io.github.rabbitretry.sample.outside.MessageTypeQueues;
import io.github.rabbitretry.sample.outside.Operator;
import io.github.rabbitretry.sample.outside.OrderMessageType;
import io.github.rabbitretry.sample.outside.ProgressPrinter;
import io.github.rabbitretry.sample.outside.Surroundings;
import io.github.rabbitretry.sample.outside.WorkerProcess;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * Where experiments are made: a broker, a worker, a gateway, and who watches.
 */
final class DrillEnvironment implements AutoCloseable {

	/** What the worker waits between attempts, and how often it tries again at most. */
	static final List<String> DELAYS = List.of("500ms", "1s", "1500ms");

	static final OrderMessageType PAYMENT = OrderMessageType.CAPTURE_PAYMENT;

	private static final Duration PATIENCE = Duration.ofSeconds(90);

	private static final long CONFIRM_TIMEOUT_MILLIS = 60_000;

	private static final int UNCONFIRMED = 200;

	private final ProgressPrinter progress;

	private final Broker broker;

	private final Connection connection;

	private final Gateway gateway;

	private final AmqpProxy wire;

	private final WorkerProcess worker;

	private final HandledOrders handled = new HandledOrders();

	private final PublishedCopies tap;

	private final MessageTypeQueues queues;

	private DrillEnvironment(ProgressPrinter progress, Broker broker) throws IOException, TimeoutException {
		this.progress = progress;
		this.broker = broker;
		this.connection = Surroundings.connect(broker, "drill");
		this.queues = new MessageTypeQueues(this.connection,
				(command) -> DELAYS.stream().map((delay) -> command.queue() + ".retry." + delay).toList());
		this.gateway = new Gateway();
		this.wire = new AmqpProxy(broker);
		Path log = Surroundings.target().resolve("drill-worker.log");
		this.worker = new WorkerProcess(Surroundings.jar(), log, this.wire.uri(), arguments());
		try {
			this.handled.listen(this.connection);
			this.worker.start();
			this.tap = new PublishedCopies(this.connection, PAYMENT, DELAYS);
		}
		catch (IOException ex) {
			close();
			throw ex;
		}
	}

	private List<String> arguments() throws IOException {
		List<String> arguments = new ArrayList<>();
		arguments.add("--order-worker.data=" + Surroundings.emptyFolder("drill-data"));
		arguments.add("--payment.gateway.url=" + this.gateway.address());
		for (OrderMessageType command : OrderMessageType.values()) {
			String policy = "--rabbit-retry.message-policies.%s.".formatted(command.type());
			arguments.add(policy + "retry-backoff=schedule");
			arguments.add(policy + "schedule=" + String.join(",", DELAYS));
			arguments.add(policy + "broker-attempts=" + DELAYS.size());
		}
		return arguments;
	}

	static DrillEnvironment open(ProgressPrinter progress) throws IOException, TimeoutException {
		Broker broker = Broker.start();
		try {
			return new DrillEnvironment(progress, broker);
		}
		catch (IOException | TimeoutException | RuntimeException ex) {
			broker.close();
			throw ex;
		}
	}

	String description() {
		return "%s; the worker is %s, its log is %s".formatted(this.broker.description(), this.worker.address(),
				this.worker.log());
	}

	ProgressPrinter progress() {
		return this.progress;
	}

	WorkerProcess worker() {
		return this.worker;
	}

	AmqpProxy wire() {
		return this.wire;
	}

	Gateway gateway() {
		return this.gateway;
	}

	HandledOrders handled() {
		return this.handled;
	}

	PublishedCopies tap() {
		return this.tap;
	}

	/** Who looks after parked messages, and says aloud how. */
	Operator operator() {
		return new Operator(this.worker.address(), (line) -> this.progress.line("          " + line));
	}

	/** Messages in queues in which none may stay. */
	Map<String, Long> left() throws IOException {
		return this.queues.depths().left();
	}

	static String payment(String orderId, String card) {
		return """
				{"orderId":"%s","card":"%s","cents":4200}""".formatted(orderId, card);
	}

	void publish(String orderId, String body) throws IOException {
		publish(PAYMENT, Map.of(orderId, body));
	}

	/**
	 * Publishes, mandatory and confirmed.
	 * @param command to whom
	 * @param bodies by order id
	 * @return when each was published
	 */
	Map<String, Long> publish(OrderMessageType command, Map<String, String> bodies) throws IOException {
		Map<String, Long> times = new LinkedHashMap<>();
		try (Channel channel = this.connection.createChannel()) {
			channel.confirmSelect();
			for (Map.Entry<String, String> body : bodies.entrySet()) {
				BasicProperties properties = new BasicProperties.Builder().contentType("application/json")
					.deliveryMode(2)
					.messageId(body.getKey())
					.timestamp(new Date())
					.build();
				times.put(body.getKey(), System.nanoTime());
				channel.basicPublish(command.exchange(), command.queue(), true, properties,
						body.getValue().getBytes(StandardCharsets.UTF_8));
				if (times.size() % UNCONFIRMED == 0) {
					channel.waitForConfirmsOrDie(CONFIRM_TIMEOUT_MILLIS);
				}
			}
			channel.waitForConfirmsOrDie(CONFIRM_TIMEOUT_MILLIS);
			return times;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IOException("interrupted", ex);
		}
		catch (TimeoutException ex) {
			throw new IOException("the broker did not confirm", ex);
		}
	}

	/**
	 * Waits for something to happen; if it does not, the failure says what was seen.
	 * @param condition what to wait for; an exception of it means that it did not happen
	 */
	void await(Callable<Boolean> condition) {
		try {
			Awaitility.await()
				.atMost(PATIENCE)
				.pollInterval(Duration.ofMillis(100))
				.ignoreExceptions()
				.until(condition);
		}
		catch (ConditionTimeoutException ex) {
			this.progress.line("          (waited for %s in vain)".formatted(PATIENCE));
		}
	}

	@Override
	public void close() {
		this.worker.close();
		this.wire.close();
		this.gateway.close();
		try {
			this.connection.close();
		}
		catch (IOException | RuntimeException ex) {
			// the broker ends next
		}
		this.broker.close();
	}

}
