/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.broker.Management;
import io.github.rabbitretry.internal.depth.BrokerDepths;
import io.github.rabbitretry.internal.topology.DelayLadder;
import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.internal.topology.TopologyDeclarables;
import io.github.rabbitretry.internal.topology.TopologyParts;
import io.github.rabbitretry.topology.DelayRoute;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.amqp.core.Binding;
import org.springframework.amqp.core.Declarables;
import org.springframework.amqp.core.Exchange;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitAdmin;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What one policy makes on an empty broker, and what waits there for delays that it has
 * no queue for.
 */
@ExtendWith(OutputCaptureExtension.class)
class DefaultTopologyIntegrationTests {

	private static final String VIRTUAL_HOST = "empty";

	private static final String QUEUE = "nine";

	private static final String[] SCHEDULE = { "retry-backoff=schedule", "schedule=1s,5s" };

	private TestBroker broker;

	private ConfigurableApplicationContext application;

	@BeforeEach
	void create() {
		Management management = Broker.shared().management();
		management.put("/api/vhosts/" + VIRTUAL_HOST, "{}");
		management.put("/api/permissions/%s/%s".formatted(VIRTUAL_HOST, Broker.shared().username()),
				"{\"configure\":\".*\",\"write\":\".*\",\"read\":\".*\"}");
		this.broker = TestBroker.connect(VIRTUAL_HOST);
		Application.failedAt.clear();
		Application.back.clear();
	}

	@AfterEach
	void remove() {
		if (this.application != null) {
			this.application.close();
		}
		this.broker.close();
		Broker.shared().management().delete("/api/vhosts/" + VIRTUAL_HOST);
	}

	@Test
	void aDefaultPolicyMakesNineQueuesTwoExchangesAndTwoConnectionsBesidesTheListeners(CapturedOutput output) {
		start();
		assertThat(queues()).containsExactly(QUEUE, QUEUE + ".dlq", QUEUE + ".parking-lot", QUEUE + ".quarantine",
				QUEUE + ".retry.18m", QUEUE + ".retry.30m", QUEUE + ".retry.30s", QUEUE + ".retry.3m",
				QUEUE + ".retry.5s");
		assertThat(listed("list_exchanges", "name")).filteredOn((name) -> !name.isEmpty() && !name.startsWith("amq."))
			.containsExactlyInAnyOrder(QUEUE + ".retry", QUEUE + ".dlx");
		assertThat(output).contains("51m35s in all, at most 2h after the first failure, 9 queues");
		send("retried", 60);
		Awaitility.await().until(() -> this.broker.ready(QUEUE + ".retry.30s") == 1);
		this.broker.sendJson(QUEUE + ".quarantine", "quarantined", Map.of("ask", 0), "{}");
		this.broker.sendJson(QUEUE + ".dlq", "dead", Map.of(), "{}");
		this.broker.take(QUEUE + ".parking-lot");
		Awaitility.await().until(() -> Application.back.containsKey("quarantined"));
		assertThat(this.application.getBean(BrokerDepths.class).waiting()).extracting("messages")
			.contains(1L)
			.hasSize(5);
		assertThat(connections()).filteredOn((line) -> !line.contains("\"test\"")).hasSize(3);
	}

	@Test
	void composedDelaysComeBackNeverEarlyAndAtMostOneLevelLateAndAreOneAttempt() {
		start(SCHEDULE);
		Map<String, Integer> asked = Map.of("a", 2, "b", 3, "c", 6, "d", 7, "e", 11);
		asked.forEach(this::send);
		Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> Application.back.keySet().equals(asked.keySet()));
		asked.forEach((id, seconds) -> {
			// the level is a second, and two are for a machine that is busy
			assertThat(Application.waited(id)).as(id)
				.isBetween(Duration.ofSeconds(seconds), Duration.ofSeconds(seconds + 3));
			assertThat(Application.back.get(id).attempt()).as(id).isEqualTo(1);
		});
		assertThat(queues()).hasSize(6);
	}

	@Test
	void composedDelaysOutlastRestartsAndCutConnections() throws Exception {
		start(SCHEDULE);
		List<String> ids = new ArrayList<>();
		for (int i = 0; i < 50; i++) {
			ids.add("m" + i);
			send("m" + i, 6 + i % 10);
		}
		Awaitility.await().until(() -> Application.failedAt.keySet().containsAll(ids));
		for (int i = 0; i < 3; i++) {
			Broker.shared().ctl("close_all_connections", "--vhost", VIRTUAL_HOST, "cut by the test");
			Awaitility.await().pollDelay(Duration.ofSeconds(1)).until(() -> true);
		}
		// or it goes on to recover after the virtual host is gone, beside the next tests
		this.broker.close();
		this.broker = TestBroker.connect(VIRTUAL_HOST);
		this.application.close();
		start(SCHEDULE);
		Awaitility.await().atMost(Duration.ofSeconds(90)).until(() -> Application.back.keySet().containsAll(ids));
		for (String id : ids) {
			assertThat(Application.waited(id)).as(id)
				.isGreaterThanOrEqualTo(Duration.ofSeconds(6 + Integer.parseInt(id.substring(1)) % 10));
			assertThat(Application.back.get(id).attempt()).as(id).isEqualTo(1);
		}
	}

	/** The rest that a level leaves is waited for, however short it is. */
	@Test
	void aDelayThatIsAMomentLongerThanALevelIsNotCutToIt() {
		start(SCHEDULE);
		this.broker.sendJson(QUEUE, "moment", Map.of("ask", 1, "ask-more", 45), "{}");
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> Application.back.containsKey("moment"));
		assertThat(Application.waited("moment")).isGreaterThanOrEqualTo(Duration.ofMillis(1045));
	}

	@Test
	void messagesOnTheLadderOfAnEarlierVersionComeBack() throws Exception {
		MessageTopology earlier = MessageTopology.of(QUEUE)
			.quarantine(true)
			.exactDelays(true)
			.delays(List.of(Duration.ofSeconds(5), Duration.ofSeconds(30), Duration.ofMinutes(3),
					Duration.ofMinutes(18), Duration.ofMinutes(30)))
			.build();
		declare(TopologyDeclarables.of(TopologyParts.of(List.of(earlier))));
		assertThat(queues()).hasSize(9 + 23);
		for (int millis : List.of(250, 1_750, 7_500, 20_250)) {
			DelayRoute route = earlier.route(Duration.ofMillis(millis));
			assertThat(route.exchange()).isEqualTo(DelayLadder.NAME);
			this.broker.channel()
				.basicPublish(route.exchange(), route.routingKey(), true,
						TestBroker.json("waits" + millis).headers(Map.of("x-app-retry-attempt", 1)).build(),
						"{}".getBytes());
		}
		this.broker.channel().waitForConfirmsOrDie(10_000);
		start();
		Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> Application.back.size() == 4);
		assertThat(Application.back.values()).extracting(Returned::attempt).containsOnly(1);
		assertThat(queues()).hasSize(9 + 23);
	}

	@Test
	void theLastQueueIsDeclaredForTheFirstMessageThatNobodyCanReceive() {
		start();
		NestedHeader.send(this.broker, QUEUE + ".dlq", "unreadable");
		Awaitility.await().atMost(Duration.ofSeconds(90)).until(() -> this.broker.unroutable() == 1);
		this.broker.sendJson(QUEUE + ".dlq", "dead", Map.of(), "{}");
		this.broker.take(QUEUE + ".parking-lot");
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.until(() -> connections().stream().noneMatch((line) -> line.contains(".dead-letter\"")));
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void whereNothingMayBeDeclaredTheDeadLetterQueueKeepsWhatNobodyCanReceive(boolean unbound, CapturedOutput output)
			throws Exception {
		start();
		this.application.close();
		Broker.shared()
			.ctl("eval", "application:set_env(rabbit, dead_letter_worker_publisher_confirm_timeout, 3000), "
					+ "[exit(Worker, kill) || {_, Worker, _, _} <- supervisor:which_children(rabbit_fifo_dlx_sup)].");
		if (unbound) {
			declareLastQueue();
		}
		startIn("verify");
		NestedHeader.send(this.broker, QUEUE + ".dlq", "unreadable");
		Awaitility.await()
			.atMost(Duration.ofSeconds(90))
			.until(() -> output.getOut().contains("bound to exchange 'nine.dlx' with key 'nine.undeliverable'"));
		this.broker.sendJson(QUEUE + ".dlq", "dead", Map.of(), "{}");
		Awaitility.await().atMost(Duration.ofMinutes(3)).until(() -> this.broker.ready(QUEUE + ".parking-lot") == 1);
		assertThat(queues().contains(DelayLadder.UNROUTABLE)).isEqualTo(unbound);
		assertThat(this.broker.unroutable()).isZero();
		declareLastQueue();
		this.broker.channel().queueBind(DelayLadder.UNROUTABLE, "nine.dlx", "nine.undeliverable");
		Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> this.broker.unroutable() == 1);
	}

	private void declareLastQueue() throws IOException {
		this.broker.channel()
			.queueDeclare(DelayLadder.UNROUTABLE, true, false, false,
					Map.of("x-queue-type", "quorum", "x-overflow", "reject-publish", "x-delivery-limit", -1));
	}

	private void start(String... policy) {
		startIn("declare", policy);
	}

	private void startIn(String mode, String... policy) {
		List<String> arguments = new ArrayList<>(TestBroker.arguments());
		arguments.removeIf((argument) -> argument.contains("virtual-host"));
		arguments.add("--spring.rabbitmq.virtual-host=" + VIRTUAL_HOST);
		arguments.add("--rabbit-retry.topology.mode=" + mode);
		arguments.add("--rabbit-retry.message-policies.Nine.queue=" + QUEUE);
		for (String property : policy) {
			arguments.add("--rabbit-retry.message-policies.Nine." + property);
		}
		this.application = new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.run(arguments.toArray(String[]::new));
	}

	private void send(String id, int seconds) {
		this.broker.sendJson(QUEUE, id, Map.of("ask", seconds), "{}");
	}

	private static void declare(Declarables declarables) {
		CachingConnectionFactory factory = new CachingConnectionFactory(Broker.shared().amqpUri());
		factory.setVirtualHost(VIRTUAL_HOST);
		RabbitAdmin admin = new RabbitAdmin(factory);
		declarables.getDeclarablesByType(Exchange.class).forEach(admin::declareExchange);
		declarables.getDeclarablesByType(Queue.class).forEach(admin::declareQueue);
		declarables.getDeclarablesByType(Binding.class).forEach(admin::declareBinding);
		factory.destroy();
	}

	private Set<String> queues() {
		return new TreeSet<>(listed("list_queues", "name"));
	}

	/** With the names that clients have given them. */
	private static List<String> connections() {
		return listed("list_connections", "client_properties", "vhost").stream()
			.filter((line) -> line.endsWith("\t" + VIRTUAL_HOST))
			.toList();
	}

	private static List<String> listed(String command, String... columns) {
		List<String> arguments = new ArrayList<>(List.of(command));
		if (!command.equals("list_connections")) {
			arguments.addAll(List.of("--vhost", VIRTUAL_HOST));
		}
		arguments.addAll(List.of(columns));
		arguments.addAll(List.of("--quiet", "--no-table-headers"));
		return Broker.shared().ctl(arguments.toArray(String[]::new)).lines().toList();
	}

	/**
	 * A message that came back.
	 *
	 * @param at when
	 * @param attempt as which attempt
	 */
	record Returned(Instant at, int attempt) {
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		static final Map<String, Instant> failedAt = new ConcurrentHashMap<>();

		static final Map<String, Returned> back = new ConcurrentHashMap<>();

		static Duration waited(String id) {
			return Duration.between(failedAt.get(id), back.get(id).at());
		}

		@RabbitListener(queues = QUEUE)
		void handle(Message message) {
			Map<String, Object> headers = message.getMessageProperties().getHeaders();
			String id = message.getMessageProperties().getMessageId();
			int attempt = (int) headers.getOrDefault("x-app-retry-attempt", 0);
			int seconds = (int) headers.getOrDefault("ask", 0);
			if (attempt == 0 && seconds > 0) {
				// a cut connection has it fail twice, and the first copy comes back first
				failedAt.putIfAbsent(id, Instant.now());
				throw new AskedDelayException(
						Duration.ofSeconds(seconds).plusMillis((int) headers.getOrDefault("ask-more", 0)));
			}
			back.put(id, new Returned(Instant.now(), attempt));
		}

	}

}
