/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.GetResponse;
import io.github.rabbitretry.it.TestApplication;
import io.github.rabbitretry.it.TestBroker;
import io.github.rabbitretry.parking.message.Ledger;
import io.github.rabbitretry.parking.message.ParkedFilter;
import io.github.rabbitretry.parking.message.ParkedState;
import io.github.rabbitretry.parking.replay.OperatorAction;
import io.github.rabbitretry.parking.replay.ReplayOptions;
import io.github.rabbitretry.parking.replay.ReplayRefusedException;
import io.github.rabbitretry.parking.replay.ReplayRequest;
import io.github.rabbitretry.parking.replay.ReplayService;
import io.github.rabbitretry.parking.replay.Selection;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.core.Binding;
import org.springframework.amqp.core.Declarables;
import org.springframework.amqp.core.ExchangeTypes;
import org.springframework.amqp.core.FanoutExchange;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.rabbit.annotation.Exchange;
import org.springframework.amqp.rabbit.annotation.Queue;
import org.springframework.amqp.rabbit.annotation.QueueBinding;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.rabbit.retry.RepublishMessageRecoverer;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A dead-letter queue that was there before the starter, filled by the broker and by
 * Spring AMQP's recoverer.
 */
class AdoptedQueueIntegrationTests {

	private static final String OLD_QUEUE = "adopted.old";

	private static final String DEAD = "adopted.dead";

	private final TestBroker broker = TestBroker.connect();

	private ConfigurableApplicationContext application;

	@BeforeEach
	void declare() throws Exception {
		this.broker.channel().queueDeclare(DEAD, true, false, false, Map.of());
		// what the work queue was before it got a policy
		this.broker.channel()
			.queueDeclare(OLD_QUEUE, true, false, false,
					Map.of("x-dead-letter-exchange", "", "x-dead-letter-routing-key", DEAD));
	}

	@AfterEach
	void close() throws Exception {
		if (this.application != null) {
			this.application.close();
		}
		for (String queue : List.of("adopted.orders", "adopted.invoices", "adopted.quotes")) {
			this.broker.deleteAll(queue);
		}
		this.broker.channel().exchangeDelete("adopted.billing");
		this.broker.channel().exchangeDelete("adopted.broadcast");
		this.broker.channel().queueDelete(OLD_QUEUE);
		this.broker.channel().queueDelete(DEAD);
		this.broker.close();
	}

	@Test
	void oldFailuresAreFoundGroupedAndReplayedToTheirOrigin() throws Exception {
		rejected("rejected-1");
		start();
		republished("republished-1", true);
		republished("republished-2", true);
		republished("republished-3", false);
		Ledger ledger = this.application.getBean(Ledger.class);
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.untilAsserted(() -> assertThat(ledger.count(ParkedFilter.ALL.withState(ParkedState.PARKED))).isEqualTo(4));
		Awaitility.await().untilAsserted(() -> assertThat(this.broker.ready(DEAD)).isZero());
		assertThat(ledger.count(ParkedFilter.ALL.withQueue(OLD_QUEUE).withReason("REJECTED"))).isEqualTo(1);
		assertThat(ledger.groups(ParkedFilter.ALL.withQueue("adopted.orders"), 10))
			.extracting((group) -> group.exception() + " " + group.count())
			.containsExactlyInAnyOrder("java.lang.IllegalStateException 2", "null 1");
		this.application.getBean(ReplayService.class)
			.start(request(Selection.of(ParkedFilter.ALL.withQueue("adopted.orders")), ReplayOptions.unthrottled(10)));
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.untilAsserted(() -> assertThat(Application.handled).containsExactlyInAnyOrder("republished-1",
					"republished-2", "republished-3"));
		Awaitility.await()
			.untilAsserted(() -> assertThat(ledger.count(ParkedFilter.ALL.withState(ParkedState.PARKED))).isEqualTo(1));
	}

	@Test
	void whatHasNoPolicyGoesToATargetIfItIsNamed() throws Exception {
		rejected("rejected-1");
		start();
		Ledger ledger = this.application.getBean(Ledger.class);
		ParkedFilter old = ParkedFilter.ALL.withQueue(OLD_QUEUE).withState(ParkedState.PARKED);
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.untilAsserted(() -> assertThat(ledger.count(old)).isEqualTo(1));
		ReplayService replays = this.application.getBean(ReplayService.class);
		ReplayOptions toOrders = ReplayOptions.unthrottled(10).withMove("adopted.orders");
		assertThatExceptionOfType(ReplayRefusedException.class)
			.isThrownBy(() -> replays.start(request(Selection.of(old), ReplayOptions.unthrottled(10))))
			.withMessageContaining("has no policy here")
			.withMessageContaining("set a target");
		assertThat(replays.dryRun(request(Selection.of(ParkedFilter.ALL), toOrders)).wouldReplay())
			.as("others' messages too would be meant by all")
			.isZero();
		assertThat(replays.dryRun(request(Selection.of(old), toOrders)).wouldReplay()).isOne();
		long id = ledger.search(old, null, 1).messages().get(0).id();
		replays.start(request(Selection.of(List.of(id)), toOrders));
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.untilAsserted(() -> assertThat(Application.handled).containsExactly("rejected-1"));
		assertThat(ledger.count(old)).isZero();
	}

	@Test
	void whatIsMappedToAMessageTypeIsReplayedToItsWorkQueue() throws Exception {
		rejected("rejected-1");
		start("rabbit-retry.ledger.adopt." + DEAD + "=Order");
		Ledger ledger = this.application.getBean(Ledger.class);
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.untilAsserted(() -> assertThat(
					ledger.count(ParkedFilter.ALL.withQueue("adopted.orders").withMessageType("Order")))
				.isEqualTo(1));
		this.application.getBean(ReplayService.class)
			.start(request(Selection.of(ParkedFilter.ALL), ReplayOptions.unthrottled(10)));
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.untilAsserted(() -> assertThat(Application.handled).containsExactly("rejected-1"));
	}

	private static ReplayRequest request(Selection selection, ReplayOptions options) {
		return new ReplayRequest(selection, options, new OperatorAction("ops", "FIXED"));
	}

	/** Policies of existing queues know no exchange. */
	@Test
	void theApplicationsOwnBindingsSayWhichQueueAFailureCameFrom() {
		start();
		republished("invoice-1", true, "adopted.billing", "invoice.paid");
		republished("quote-1", true, "adopted.billing", "quote");
		republished("other-1", true, "adopted.billing", "order.created");
		republished("other-2", true, "adopted.broadcast", "quote");
		Ledger ledger = this.application.getBean(Ledger.class);
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.untilAsserted(() -> assertThat(ledger.count(ParkedFilter.ALL)).isEqualTo(4));
		assertThat(ledger.search(ParkedFilter.ALL.withMessageType("Invoice"), null, 10).messages()).singleElement()
			.satisfies((parked) -> assertThat(parked.queue()).isEqualTo("adopted.invoices"));
		assertThat(ledger.search(ParkedFilter.ALL.withMessageType("Quote"), null, 10).messages()).singleElement()
			.satisfies((parked) -> assertThat(parked.queue()).isEqualTo("adopted.quotes"));
		assertThat(ledger.count(ParkedFilter.ALL.withQueue(DEAD))).as("what may be another service's").isEqualTo(2);
	}

	private void start() {
		start("rabbit-retry.ledger.adopt=" + DEAD);
	}

	private void start(String adopt) {
		Application.handled.clear();
		this.application = TestApplication.start(Application.class, "spring.datasource.url=jdbc:h2:mem:adopted",
				"rabbit-retry.ledger.enabled=true", adopt,
				"rabbit-retry.message-policies.Invoice.queue=adopted.invoices",
				"rabbit-retry.message-policies.Invoice.work-queue=existing",
				"rabbit-retry.message-policies.Quote.queue=adopted.quotes",
				"rabbit-retry.message-policies.Quote.work-queue=existing",
				"rabbit-retry.message-policies.Order.queue=adopted.orders",
				"rabbit-retry.message-policies.Order.exchange=adopted.exchange");
	}

	private void rejected(String id) throws Exception {
		this.broker.send(OLD_QUEUE, new BasicProperties.Builder().messageId(id).deliveryMode(2).build(), "{}");
		GetResponse delivery = Awaitility.await()
			.until(() -> this.broker.channel().basicGet(OLD_QUEUE, false), Objects::nonNull);
		this.broker.channel().basicReject(delivery.getEnvelope().getDeliveryTag(), false);
		Awaitility.await().untilAsserted(() -> assertThat(this.broker.ready(DEAD)).isOne());
	}

	/** As a listener with Spring Boot's retry leaves it. */
	private void republished(String id, boolean trace) {
		republished(id, trace, "adopted.exchange", "adopted.orders");
	}

	private void republished(String id, boolean trace, String exchange, String routingKey) {
		Message message = MessageBuilder.withBody("{}".getBytes())
			.setMessageId(id)
			.setReceivedExchange(exchange)
			.setReceivedRoutingKey(routingKey)
			.build();
		RepublishMessageRecoverer recoverer = new RepublishMessageRecoverer(
				this.application.getBean(RabbitTemplate.class), "", DEAD);
		// not included by default since Spring AMQP 4.1
		recoverer.includeStackTrace(trace);
		recoverer.recover(message, new IllegalArgumentException("outer", new IllegalStateException("gateway says no")));
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		static final List<String> handled = new CopyOnWriteArrayList<>();

		@RabbitListener(queues = "adopted.orders")
		void handle(Message message) {
			handled.add(message.getMessageProperties().getMessageId());
		}

		@RabbitListener(bindings = @QueueBinding(value = @Queue(name = "adopted.invoices", durable = "true"),
				exchange = @Exchange(value = "adopted.billing", type = ExchangeTypes.TOPIC), key = "invoice.#"))
		void handleInvoice(Message message) {
			// none arrives
		}

		@RabbitListener(queues = "adopted.quotes")
		void handleQuote(Message message) {
			// none arrives
		}

		@Bean
		Declarables quotes() {
			return new Declarables(new org.springframework.amqp.core.Queue("adopted.quotes"),
					new Binding("adopted.quotes", Binding.DestinationType.QUEUE, "adopted.billing", "quote", null),
					new FanoutExchange("adopted.broadcast"),
					new Binding("adopted.quotes", Binding.DestinationType.QUEUE, "adopted.broadcast", "quote", null));
		}

	}

}
