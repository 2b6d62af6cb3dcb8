/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.internal.declaration.TopologyMismatchException;
import io.github.rabbitretry.internal.topology.ExchangeDefinition;
import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.internal.topology.QueueDefinition;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

@Tag("smoke")
class TopologyOnTheBrokerIntegrationTests {

	private static final String QUEUE = "topology.order";

	private static final String[] POLICY = { "rabbit-retry.message-policies.Order.queue=" + QUEUE,
			"rabbit-retry.message-policies.Order.exchange=topology.orders",
			"rabbit-retry.message-policies.Order.retry-backoff=schedule",
			"rabbit-retry.message-policies.Order.schedule=10s,1m,5m",
			"rabbit-retry.message-policies.Order.exact-delays=true",
			"rabbit-retry.message-policies.Order.max-retry-age=10d" };

	private static final MessageTopology TOPOLOGY = MessageTopology.of(QUEUE)
		.boundTo("topology.orders", List.of())
		.delays(List.of(Duration.ofSeconds(10), Duration.ofMinutes(1), Duration.ofMinutes(5)))
		.exactDelays(true)
		.build();

	private TestBroker broker;

	@BeforeEach
	void connect() throws Exception {
		this.broker = TestBroker.connect();
		// the ladder is every type's, and there since another test
		delete();
	}

	@AfterEach
	void remove() throws Exception {
		this.broker.close();
		this.broker = TestBroker.connect();
		delete();
		this.broker.close();
	}

	private void delete() throws Exception {
		Channel channel = this.broker.channel();
		for (QueueDefinition queue : TOPOLOGY.queues()) {
			channel.queueDelete(queue.name());
		}
		for (ExchangeDefinition exchange : TOPOLOGY.exchanges()) {
			channel.exchangeDelete(exchange.name());
		}
	}

	@Test
	void isDeclaredWithTheContractsNamesAndArguments() throws Exception {
		start(POLICY).close();
		for (String queue : List.of(QUEUE, QUEUE + ".retry.10s", QUEUE + ".retry.1m", QUEUE + ".retry.5m",
				"rabbit-retry.delay.v1.250ms", "rabbit-retry.delay.v1.524288s", "rabbit-retry.delay.v1.unroutable",
				QUEUE + ".dlq", QUEUE + ".parking-lot")) {
			this.broker.channel().queueDeclarePassive(queue);
		}
		if (Broker.shared().managementUri().isPresent()) {
			assertThat(arguments(QUEUE + ".retry.1m")).contains("\"x-message-ttl\":60000",
					"\"x-dead-letter-strategy\":\"at-least-once\"", "\"x-overflow\":\"reject-publish\"",
					"\"x-queue-type\":\"quorum\"");
			assertThat(arguments(QUEUE)).contains("\"x-delivery-limit\":5",
					"\"x-dead-letter-exchange\":\"topology.order.dlx\"");
		}
		this.broker.channel().basicPublish("topology.orders", QUEUE, true, null, new byte[0]);
		this.broker.channel().waitForConfirmsOrDie(5000);
		assertThat(this.broker.ready(QUEUE)).isOne();
	}

	private static String arguments(String queue) {
		return Broker.shared().management().get("/api/queues/%2F/" + queue);
	}

	@Test
	void thatIsThereAlreadyIsTakenAsItIs() {
		start(POLICY).close();
		start(POLICY).close();
	}

	/** RabbitMQ logs each refusal as an error and closes the channel. */
	@Test
	void isRefusedOnceForEachMissingPartAtAFirstStartAndNeverLater() throws Exception {
		assumeTrue(Broker.shared().prometheusUri().isPresent());
		double before = channelsOpened();
		start(POLICY).close();
		double first = channelsOpened();
		start(POLICY).close();
		double second = channelsOpened();
		int parts = TOPOLOGY.queues().size() + TOPOLOGY.exchanges().size();
		assertThat((first - before) - (second - first)).isBetween(parts - 2.0, parts + 10.0);
	}

	private static double channelsOpened() throws Exception {
		HttpResponse<String> metrics = HttpClient.newHttpClient()
			.send(HttpRequest.newBuilder(Broker.shared().prometheusUri().orElseThrow().resolve("/metrics")).build(),
					HttpResponse.BodyHandlers.ofString());
		return metrics.body()
			.lines()
			.filter((line) -> line.startsWith("rabbitmq_channels_opened_total"))
			.mapToDouble((line) -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
			.sum();
	}

	@Test
	void ofClassicQueuesIsDeclaredOnRequest() {
		start(with("rabbit-retry.topology.queue-type=classic")).close();
		if (Broker.shared().managementUri().isPresent()) {
			assertThat(arguments(QUEUE)).contains("\"x-queue-type\":\"classic\"").doesNotContain("x-delivery-limit");
		}
	}

	@Test
	void thatDiffersStopsTheStartNamingQueueArgumentAndBothValues() throws Exception {
		this.broker.channel()
			.queueDeclare(QUEUE, true, false, false, Map.of("x-queue-type", "quorum", "x-delivery-limit", 9));
		Instant begin = Instant.now();
		assertThatException().isThrownBy(() -> start(POLICY))
			.asInstanceOf(InstanceOfAssertFactories.type(TopologyMismatchException.class))
			.satisfies((ex) -> assertThat(ex.problems()).hasSize(1).first().satisfies((problem) -> {
				assertThat(problem.what()).isEqualTo("queue '%s'".formatted(QUEUE));
				assertThat(problem.problem())
					.containsPattern("argument 'x-[a-z-]+' is .+ on the broker, but .+ asks for ");
				assertThat(problem.remedy()).contains("delete");
			}));
		assertThat(Duration.between(begin, Instant.now())).isLessThan(Duration.ofSeconds(15));
	}

	@Test
	void thatIsMissingStopsTheStartWhereItIsOnlyVerified() {
		assertThatException().isThrownBy(() -> start(with("rabbit-retry.topology.mode=verify")))
			.asInstanceOf(InstanceOfAssertFactories.type(TopologyMismatchException.class))
			.satisfies((ex) -> assertThat(ex.problems()).hasSize(TOPOLOGY.exchanges().size() + TOPOLOGY.queues().size())
				.allSatisfy((problem) -> assertThat(problem.problem()).isEqualTo("it does not exist")));
	}

	@Test
	void thatIsThereAndRightPassesVerification() {
		start(POLICY).close();
		start(with("rabbit-retry.topology.mode=verify")).close();
	}

	@Test
	void isLeftAloneInModeNone() throws Exception {
		start(with("rabbit-retry.topology.mode=none", "rabbit-retry.dead-letter-consumer.enabled=false")).close();
		Connection connection = this.broker.channel().getConnection();
		assertThatException().isThrownBy(() -> connection.createChannel().queueDeclarePassive(QUEUE));
	}

	private static String[] with(String... more) {
		String[] all = new String[POLICY.length + more.length];
		System.arraycopy(POLICY, 0, all, 0, POLICY.length);
		System.arraycopy(more, 0, all, POLICY.length, more.length);
		return all;
	}

	private static ConfigurableApplicationContext start(String... properties) {
		return TestApplication.start(Application.class, properties);
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

	}

}
