/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.util.ArrayList;
import java.util.List;

import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.internal.declaration.TopologyMismatchException;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.core.Declarables;
import org.springframework.amqp.core.DirectExchange;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * A start that fails leaves the broker as it was.
 */
class RefusedStartIntegrationTests {

	private static final String PREFIX = "refused";

	private static final String[] POLICIES = { "rabbit-retry.message-policies.Invoice.queue=refused.invoice",
			"rabbit-retry.message-policies.Invoice.exchange=refused.invoices",
			"rabbit-retry.message-policies.Order.queue=refused.order",
			"rabbit-retry.message-policies.Order.exact-delays=true" };

	private TestBroker broker;

	@BeforeEach
	void connect() {
		assumeTrue(Broker.shared().managementUri().isPresent());
		this.broker = TestBroker.connect();
	}

	@AfterEach
	void remove() {
		this.broker.close();
		this.broker = TestBroker.connect();
		this.broker.deleteAll(PREFIX);
		this.broker.close();
	}

	@Test
	void thatMeetsAQueueWithOtherArgumentsCreatesNothing() throws Exception {
		this.broker.channel().queueDeclare("refused.order", true, false, false, null);
		assertThatExceptionOfType(TopologyMismatchException.class)
			.isThrownBy(() -> TestApplication.start(Application.class, POLICIES))
			.satisfies((ex) -> assertThat(ex.summary()).startsWith("The broker's queues and exchanges"))
			.satisfies((ex) -> assertThat(ex.problems()).singleElement()
				.satisfies((problem) -> assertThat(problem.what()).isEqualTo("queue 'refused.order'")));
		assertThat(this.broker.queues(PREFIX)).containsExactly("refused.order");
		assertThat(this.broker.exchanges(PREFIX)).isEmpty();
	}

	@Test
	void thatMeetsHandMadeDeadLettersOfTheUsualNamesSaysWhichNamesToUse() throws Exception {
		this.broker.channel().exchangeDeclare("refused.order.dlx", "fanout", true);
		this.broker.channel().queueDeclare("refused.order.dlq", true, false, false, null);
		assertThatExceptionOfType(TopologyMismatchException.class)
			.isThrownBy(() -> TestApplication.start(Application.class, POLICIES))
			.satisfies((ex) -> assertThat(ex.names()).containsExactly(
					"rabbit-retry.message-policies.Order.names.dead-letter-exchange: refused.order.dlx.v2",
					"rabbit-retry.message-policies.Order.names.dead-letter-queue: refused.order.dlq.v2"));
	}

	@Test
	void thatMeetsAnExchangeOfAnotherTypeCreatesNothing() throws Exception {
		this.broker.channel().exchangeDeclare("refused.invoices", "fanout", true);
		assertThatExceptionOfType(TopologyMismatchException.class)
			.isThrownBy(() -> TestApplication.start(Application.class, POLICIES))
			.satisfies((ex) -> assertThat(ex.summary()).startsWith("The broker's queues and exchanges"));
		assertThat(this.broker.queues(PREFIX)).isEmpty();
		assertThat(this.broker.exchanges(PREFIX)).containsExactly("refused.invoices");
	}

	@Test
	void thatMayNotConfigureOneOfTheQueuesCreatesNothing() {
		assertThatExceptionOfType(TopologyMismatchException.class)
			.isThrownBy(() -> startAs("^(refused\\.(?!.*parking-lot)|rabbit-retry\\.delay\\.v1)", ".*"))
			.satisfies((ex) -> assertThat(ex.problems()).hasSize(2).allSatisfy((problem) -> {
				assertThat(problem.what()).endsWith(".parking-lot'");
				assertThat(problem.problem()).contains("may not declare it");
			}));
		assertThat(this.broker.queues(PREFIX)).isEmpty();
		assertThat(this.broker.exchanges(PREFIX)).isEmpty();
	}

	@Test
	void thatMayNotBindOneOfTheQueuesCreatesNothing() {
		assertThatExceptionOfType(TopologyMismatchException.class)
			.isThrownBy(() -> startAs(".*", "^(?!refused.order$)"))
			.satisfies((ex) -> assertThat(ex.problems()).isNotEmpty()
				.allSatisfy((problem) -> assertThat(problem.what()).startsWith("binding of queue 'refused.order'")));
		assertThat(this.broker.queues(PREFIX)).isEmpty();
		assertThat(this.broker.exchanges(PREFIX)).isEmpty();
	}

	@Test
	void whoseFramesHaveNoRoomForHeadersCreatesNothing() {
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(() -> TestApplication.start(SmallFrames.class, POLICIES))
			.withMessageContaining("'8192'")
			.withMessageContaining("at least 32768")
			.withMessageContaining("frame_max in rabbitmq.conf");
		assertThat(this.broker.queues(PREFIX)).isEmpty();
	}

	@Test
	void thatMeetsAQueueLimitSaysHowToRaiseIt() {
		Broker broker = Broker.shared();
		assumeTrue(broker.canControl());
		int queues = this.broker.queues("").size();
		broker.ctl("set_vhost_limits", "-p", broker.virtualHost(), "{\"max-queues\": %d}".formatted(queues + 2));
		try {
			assertThatExceptionOfType(TopologyMismatchException.class)
				.isThrownBy(() -> TestApplication.start(Application.class, POLICIES))
				.satisfies((ex) -> assertThat(ex.problems()).allSatisfy(
						(problem) -> assertThat(problem.remedy()).contains("Raise max-queues of the virtual host")));
			assertThat(this.broker.exchanges(PREFIX)).isEmpty();
		}
		finally {
			broker.ctl("clear_vhost_limits", "-p", broker.virtualHost());
		}
	}

	@Test
	void succeedsAfterwardsAndDeclaresTheApplicationsOwnQueuesToo() throws Exception {
		this.broker.channel().queueDeclare("refused.order", true, false, false, null);
		assertThatExceptionOfType(TopologyMismatchException.class)
			.isThrownBy(() -> TestApplication.start(Application.class, POLICIES));
		this.broker.channel().queueDelete("refused.order");
		TestApplication.start(Application.class, POLICIES).close();
		assertThat(this.broker.queues(PREFIX)).contains("refused.own", "refused.another", "refused.order",
				"refused.invoice", "refused.invoice.parking-lot", "refused.order.retry.5s");
		assertThat(this.broker.queues("rabbit-retry.delay.v1")).contains("rabbit-retry.delay.v1.4096s");
		assertThat(this.broker.exchanges(PREFIX)).contains("refused.invoices", "refused.owns", "refused.order.dlx");
	}

	private static ConfigurableApplicationContext startAs(String configure, String write) {
		Broker broker = Broker.shared();
		assumeTrue(broker.canControl());
		broker.ctl("add_user", "refused", "refused");
		try {
			broker.ctl("set_permissions", "-p", broker.virtualHost(), "refused", configure, write, ".*");
			List<String> properties = new ArrayList<>(List.of(POLICIES));
			properties.add("spring.rabbitmq.addresses=amqp://refused:refused@" + broker.host() + ":" + broker.port());
			return TestApplication.start(Application.class, properties.toArray(String[]::new));
		}
		finally {
			broker.ctl("delete_user", "refused");
		}
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class SmallFrames {

		SmallFrames(CachingConnectionFactory connections) {
			connections.getRabbitConnectionFactory().setRequestedFrameMax(8192);
		}

	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		@Bean
		Queue own() {
			return new Queue("refused.own");
		}

		@Bean
		Declarables several() {
			return new Declarables(new Queue("refused.another"), new DirectExchange("refused.owns"));
		}

	}

}
