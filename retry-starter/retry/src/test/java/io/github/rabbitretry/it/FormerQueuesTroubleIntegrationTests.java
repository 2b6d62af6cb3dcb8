/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.rabbitretry.broker.Broker;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Former queues that can't be consumed as they should.
 */
@ExtendWith(OutputCaptureExtension.class)
class FormerQueuesTroubleIntegrationTests {

	private static final String FORMER = "troubled";

	private static final String NOW = "troubled-v2";

	private static final String EXCHANGE = "troubled-events";

	private final TestBroker broker = TestBroker.connect();

	private final List<ConfigurableApplicationContext> applications = new ArrayList<>();

	@BeforeEach
	void clear() {
		Listener.handled.clear();
		Listener.failures.clear();
	}

	@AfterEach
	void remove() throws Exception {
		this.applications.forEach(ConfigurableApplicationContext::close);
		for (String queue : List.of(FORMER, NOW)) {
			this.broker.deleteAll(queue);
		}
		this.broker.channel().exchangeDelete(EXCHANGE);
		this.broker.close();
	}

	@Test
	void withOrderingASecondInstanceDoesNotOvertakeTheFirst() {
		start(FORMER, "ordering=queue", "initial-delay=10s").close();
		Listener.failures.put("failing", 2);
		this.broker.sendJson(FORMER, "failing", Map.of(), "{}");
		start(NOW, "former-queues=" + FORMER, "ordering=queue", "initial-delay=10s");
		start(NOW, "former-queues=" + FORMER, "ordering=queue", "initial-delay=10s");
		this.broker.sendJson(NOW, "new", Map.of(), "{}");
		awaitHandled("new on " + NOW + ", attempt 0");
		assertThat(Listener.handled).contains("failing on " + FORMER + ", attempt 2");
	}

	@Test
	void aFormerQueueThatMayNotBeReadIsReportedSeldomTriedAndConsumedOnceItMay(CapturedOutput output) {
		start(FORMER).close();
		start(NOW).close();
		this.broker.sendJson(FORMER, "left", Map.of(), "{}");
		String host = Broker.shared().virtualHost().replace("/", "%2F");
		Broker.shared().management().put("/api/users/troubled", "{\"password\":\"x\",\"tags\":\"\"}");
		String permissions = "{\"configure\":\".*\",\"write\":\".*\",\"read\":\"%s\"}";
		Broker.shared()
			.management()
			.put("/api/permissions/" + host + "/troubled", permissions.formatted("troubled-v2.*"));
		try {
			ConfigurableApplicationContext now = start(NOW, "former-queues=" + FORMER,
					"spring.rabbitmq.username=troubled", "spring.rabbitmq.password=x");
			Awaitility.await().until(() -> output.getOut().contains("read access to queue '" + FORMER + "'"));
			HealthIndicator health = now.getBean("rabbitRetryHealthIndicator", HealthIndicator.class);
			Awaitility.await()
				.untilAsserted(() -> assertThat(health.health().getDetails().toString()).contains("listener-refused",
						"no permission to read '" + FORMER + ".dlq'"));
			int tried = tried(output);
			Awaitility.await().pollDelay(Duration.ofSeconds(12)).until(() -> true);
			assertThat(tried(output)).as("tries in twelve seconds").isLessThan(tried + 3);
			Broker.shared().management().put("/api/permissions/" + host + "/troubled", permissions.formatted(".*"));
			awaitHandled("left on " + FORMER + ", attempt 0");
			Awaitility.await()
				.atMost(Duration.ofSeconds(40))
				.untilAsserted(() -> assertThat(health.health().getStatus()).isEqualTo(Status.UP));
			close(now);
		}
		finally {
			Broker.shared().management().delete("/api/users/troubled");
		}
	}

	@Test
	void withVerifyAMessageIsNotHandledTwiceInSilence(CapturedOutput output) throws Exception {
		start(FORMER, "exchange=" + EXCHANGE, "routing-keys=k").close();
		start(NOW, "exchange=" + EXCHANGE, "routing-keys=k").close();
		start(NOW, "exchange=" + EXCHANGE, "routing-keys=k", "former-queues=" + FORMER,
				"rabbit-retry.topology.mode=verify");
		Awaitility.await().until(() -> this.broker.isConsumed(FORMER));
		this.broker.channel().basicPublish(EXCHANGE, "k", true, TestBroker.json("once").build(), "{}".getBytes());
		this.broker.channel().waitForConfirmsOrDie(10_000);
		awaitHandled("once on " + NOW + ", attempt 0");
		Awaitility.await()
			.during(Duration.ofSeconds(2))
			.untilAsserted(() -> assertThat(Listener.handled.size() == 1 || output.getOut().contains("in two queues"))
				.as("handled once, or said")
				.isTrue());
	}

	@Test
	void aFormerQueueThatIsAStreamIsReported(CapturedOutput output) throws Exception {
		this.broker.channel().queueDeclare(FORMER, true, false, false, Map.of("x-queue-type", "stream"));
		this.broker.sendJson(FORMER, "left", Map.of(), "{}");
		ConfigurableApplicationContext now = start(NOW, "former-queues=" + FORMER);
		Awaitility.await().until(() -> output.getOut().contains("Does not consume '" + FORMER + "'"));
		HealthIndicator health = now.getBean("rabbitRetryHealthIndicator", HealthIndicator.class);
		Awaitility.await()
			.untilAsserted(() -> assertThat(
					health.health().getStatus().equals(Status.DOWN) || output.getOut().contains("stream"))
				.as("said")
				.isTrue());
	}

	@Test
	void aMessageThatBlocksInAFormerQueueKeepsTheListenerStopped() {
		start(FORMER, "ordering=queue", "when-parked=block").close();
		Listener.failures.put("bad", 99);
		this.broker.sendJson(FORMER, "bad", Map.of(), "{}");
		ConfigurableApplicationContext now = start(NOW, "former-queues=" + FORMER, "ordering=queue",
				"when-parked=block", "initial-delay=1s");
		HealthIndicator health = now.getBean("rabbitRetryHealthIndicator", HealthIndicator.class);
		awaitHandled("bad on " + FORMER + ", attempt 3");
		Awaitility.await()
			.during(Duration.ofSeconds(15))
			.atMost(Duration.ofSeconds(20))
			.untilAsserted(() -> assertThat(Listener.handled).hasSize(4));
		assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
	}

	private static int tried(CapturedOutput output) {
		return output.getOut().split("basicConsume failed", -1).length - 1;
	}

	private void awaitHandled(String call) {
		Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> Listener.handled.contains(call));
	}

	private void close(ConfigurableApplicationContext application) {
		application.close();
		this.applications.remove(application);
	}

	private ConfigurableApplicationContext start(String queue, String... more) {
		Map<String, String> properties = new LinkedHashMap<>();
		List<String> all = new ArrayList<>(List.of("test.queue=" + queue, "queue=" + queue, "retry-backoff=fixed",
				"initial-delay=2s", "broker-attempts=3", "local-attempts=1", "max-retry-age=30m"));
		all.addAll(Arrays.asList(more));
		for (String property : all) {
			boolean full = property.startsWith("spring.") || property.startsWith("test.")
					|| property.startsWith("rabbit-retry.");
			String key = property.substring(0, property.indexOf('='));
			properties.put(full ? key : "rabbit-retry.message-policies.Troubled." + key,
					property.substring(property.indexOf('=') + 1));
		}
		Map<String, String> user = new LinkedHashMap<>(properties);
		user.keySet().retainAll(List.of("spring.rabbitmq.username", "spring.rabbitmq.password"));
		ConfigurableApplicationContext application;
		if (user.isEmpty()) {
			application = TestApplication.start(Application.class, arguments(properties));
		}
		else {
			// the arguments of TestApplication name the user already
			Map<String, String> arguments = new LinkedHashMap<>();
			TestBroker.arguments()
				.forEach((argument) -> arguments.put(argument.substring(2, argument.indexOf('=')),
						argument.substring(argument.indexOf('=') + 1)));
			arguments.putAll(properties);
			application = new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
				.run(Arrays.stream(arguments(arguments)).map((argument) -> "--" + argument).toArray(String[]::new));
		}
		this.applications.add(application);
		return application;
	}

	private static String[] arguments(Map<String, String> properties) {
		return properties.entrySet()
			.stream()
			.map((property) -> property.getKey() + "=" + property.getValue())
			.toArray(String[]::new);
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		@Bean
		Listener listener() {
			return new Listener();
		}

	}

	static class Listener {

		static final List<String> handled = new CopyOnWriteArrayList<>();

		static final Map<String, Integer> failures = new ConcurrentHashMap<>();

		@RabbitListener(queues = "${test.queue}")
		void handle(Message message) {
			String id = message.getMessageProperties().getMessageId();
			Integer attempt = message.getMessageProperties().getHeader("x-app-retry-attempt");
			int made = (attempt != null) ? attempt : 0;
			handled.add("%s on %s, attempt %s".formatted(id, message.getMessageProperties().getConsumerQueue(), made));
			if (made < failures.getOrDefault(id, 0)) {
				throw new IllegalStateException("not yet");
			}
		}

	}

}
