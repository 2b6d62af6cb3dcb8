/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.net.SocketTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import com.rabbitmq.client.GetResponse;
import io.github.rabbitretry.handler.DiscardMessageException;
import io.github.rabbitretry.handler.ParkMessageException;
import io.github.rabbitretry.handler.RejectMessageException;
import io.github.rabbitretry.handler.RetryContext;
import io.github.rabbitretry.handler.RetryLaterException;
import io.github.rabbitretry.handler.ReturnMessageException;
import io.github.rabbitretry.internal.message.AppHeaders;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.topology.QueueDefinition;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.amqp.rabbit.annotation.RabbitHandler;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.annotation.RabbitListenerConfigurer;
import org.springframework.amqp.support.converter.JacksonJsonMessageConverter;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.support.DefaultMessageHandlerMethodFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What handlers ask for, on a real broker; named after what the source documents promise.
 */
@ExtendWith(OutputCaptureExtension.class)
class AskingFromTheHandlerIntegrationTests {

	private static final String QUEUE = "asking.order";

	private static final String OTHER = "asking.other";

	private static final String EVENTS = "asking.events";

	private static final String TAKER = "asking.taker";

	private final TestBroker broker = TestBroker.connect();

	private ConfigurableApplicationContext application;

	@BeforeEach
	void start() throws Exception {
		Application.calls.clear();
		this.broker.channel().queueDeclare(OTHER, true, false, false, null);
		this.application = TestApplication.start(Application.class, policy("queue=" + QUEUE),
				policy("owner=team-orders"), policy("retry-backoff=schedule"), policy("schedule=1s,2s,3s"),
				policy("broker-attempts=4"), policy("local-attempts=2"), policy("local-delay=1ms"),
				policy("max-downstream-calls=5"), policy("rejection.exchange=" + EVENTS));
	}

	private static String policy(String property) {
		return "rabbit-retry.message-policies.Order." + property;
	}

	@AfterEach
	void stop() throws Exception {
		List<String> queues = this.application.getBean(MessagePolicies.class)
			.all()
			.stream()
			.flatMap((policy) -> policy.topology().queues().stream())
			.map(QueueDefinition::name)
			.toList();
		this.application.close();
		for (String queue : queues) {
			this.broker.channel().queueDelete(queue);
		}
		this.broker.channel().queueDelete(OTHER);
		this.broker.channel().queueDelete(TAKER);
		this.broker.channel().exchangeDelete(EVENTS);
		this.broker.close();
	}

	@Test
	void aRetryMayBeAskedForAfterAnyDelay() {
		send("after");
		Awaitility.await().atMost(Duration.ofSeconds(40)).until(() -> calls("after").size() == 2);
		assertThat(waited("after", 1)).isBetween(Duration.ofMillis(2400), Duration.ofSeconds(8));
		assertThat(calls("after").get(1)).satisfies((call) -> {
			assertThat(call.attempt()).isEqualTo(1);
			assertThat(call.maxAttempts()).isEqualTo(4);
			assertThat(call.localAttempt()).isZero();
			assertThat(call.reason()).isEqualTo("BUREAU_CLOSED");
			assertThat(call.age()).isGreaterThanOrEqualTo(Duration.ofMillis(2400));
			assertThat(call.header()).isEqualTo(1);
			assertThat(call.delay()).isEqualTo(2400);
		});
		assertThat(calls("after").get(0).header()).isZero();
	}

	@Test
	void aRetryMayBeAskedForAtALevelAndAtTheNextLevel() {
		send("level");
		Awaitility.await().atMost(Duration.ofSeconds(40)).until(() -> calls("level").size() == 3);
		assertThat(waited("level", 1)).isBetween(Duration.ofSeconds(2), Duration.ofSeconds(8));
		assertThat(waited("level", 2)).isBetween(Duration.ofSeconds(3), Duration.ofSeconds(8));
		assertThat(calls("level")).extracting(Call::delay).containsExactly(0L, 2000L, 3000L);
		assertThat(calls("level")).extracting(Call::level).containsExactly(0, 2, 3);
	}

	@Test
	void theRetryCountIsReadInTheHandlerOfAClassToo() {
		this.broker.send(QUEUE, TestBroker.json("m").headers(Map.of("__TypeId__", Refund.class.getName())).build(),
				"{\"id\":\"fail\"}");
		Awaitility.await().atMost(Duration.ofSeconds(40)).until(() -> calls("refund").size() == 4);
		assertThat(calls("refund")).extracting((call) -> call.attempt() + "/" + call.localAttempt())
			.containsExactly("0/0", "0/1", "1/0", "1/1");
	}

	@Test
	void aNegativeAcknowledgementRedeliversWithoutAHotLoop() {
		send("return");
		Awaitility.await().atMost(Duration.ofSeconds(40)).until(() -> calls("return").size() == 4);
		// given back at once, then a second on the ring, then given back at once again
		assertThat(calls("return")).extracting(Call::attempt).containsExactly(0, 0, 1, 1);
		assertThat(waited("return", 2)).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
		assertThat(calls("return").get(2).reason()).isEqualTo("RETURNED");
	}

	@Test
	void aMessageIsParkedForTheReasonThatTheHandlerGives() {
		send("park");
		assertThat(RetryLifecycleIntegrationTests.text(this.broker.take(QUEUE + ".parking-lot")))
			.containsEntry("x-app-retry-reason", "NO_SUCH_CUSTOMER")
			.containsEntry("x-app-retry-class", "permanent-business");
		assertThat(calls("park")).hasSize(1);
	}

	@Test
	void aStaleCommandIsDiscardedWithAnAudit(CapturedOutput output) {
		send("stale");
		Awaitility.await()
			.atMost(Duration.ofSeconds(40))
			.until(() -> counted("rabbit.retry.deliveries", "outcome", "discarded") == 1);
		assertThat(output).containsPattern(
				"io.github.rabbitretry.audit\\s*: discarded messageType='Order' messageId='m-stale' reason=STALE_COMMAND attempt=0 owner='team-orders'");
		this.application.stop();
		assertThat(this.broker.ready(QUEUE) + this.broker.ready(QUEUE + ".parking-lot")).isZero();
	}

	@Test
	void aRejectionsEventIsConfirmedBeforeTheMessageIsAcknowledged() throws Exception {
		bind();
		send("reject");
		GetResponse event = this.broker.take(TAKER);
		assertThat(new String(event.getBody())).isEqualTo("{\"order\":\"reject\",\"why\":\"credit\"}");
		assertThat(event.getEnvelope().getExchange()).isEqualTo(EVENTS);
		assertThat(event.getEnvelope().getRoutingKey()).isEqualTo(QUEUE + ".rejected");
		assertThat(event.getProps().getDeliveryMode()).isEqualTo(2);
		assertThat(event.getProps().getCorrelationId()).isEqualTo("m-reject");
		assertThat(event.getProps().getMessageId()).isNotBlank().isNotEqualTo("m-reject");
		assertThat(RetryLifecycleIntegrationTests.text(event)).containsEntry("x-app-rejection-reason", "CREDIT_REFUSED")
			.containsEntry("x-app-rejected-type", "Order")
			.containsEntry("x-app-rejected-queue", QUEUE)
			.containsEntry("x-app-rejected-message-id", "m-reject")
			.doesNotContainKeys("x-app-retry-attempt", "x-app-first-failure-at");
		Awaitility.await()
			.atMost(Duration.ofSeconds(40))
			.until(() -> counted("rabbit.retry.rejections", "reason", "CREDIT_REFUSED") == 1);
		assertThat(counted("rabbit.retry.deliveries", "outcome", "acked")).isEqualTo(1);
		this.application.stop();
		assertThat(this.broker.ready(QUEUE) + this.broker.ready(QUEUE + ".parking-lot")).isZero();
	}

	@Test
	void anEventThatNobodyTakesHoldsItsMessageUntilSomebodyDoes(CapturedOutput output) throws Exception {
		send("reject");
		Awaitility.await()
			.atMost(Duration.ofSeconds(40))
			.untilAsserted(() -> assertThat(output).contains(
					"Copies for 'asking.order.rejected' through exchange " + "'asking.events' found no queue",
					"deliveries of 'Order' that failed (1) are held unacknowledged"));
		assertThat(counted("rabbit.retry.deliveries", "outcome", "acked")).isZero();
		bind();
		assertThat(new String(this.broker.take(TAKER).getBody())).contains("credit");
		Awaitility.await()
			.atMost(Duration.ofSeconds(40))
			.until(() -> counted("rabbit.retry.deliveries", "outcome", "acked") == 1);
		assertThat(calls("reject")).hasSize(1);
	}

	@Test
	void anEventWhoseExchangeIsMissingHoldsItsMessageUntilItIsThere(CapturedOutput output) throws Exception {
		// opens the publishing connection, on which the exchange would be declared again
		send("park");
		this.broker.take(QUEUE + ".parking-lot");
		this.broker.channel().exchangeDelete(EVENTS);
		send("reject");
		Awaitility.await()
			.atMost(Duration.ofSeconds(40))
			.untilAsserted(() -> assertThat(output).contains("through exchange 'asking.events' found no exchange"));
		// other failures are not in its way
		send("park");
		this.broker.take(QUEUE + ".parking-lot");
		this.broker.channel().exchangeDeclare(EVENTS, "topic", true);
		bind();
		assertThat(new String(this.broker.take(TAKER).getBody())).contains("credit");
		Awaitility.await()
			.atMost(Duration.ofSeconds(40))
			.until(() -> counted("rabbit.retry.deliveries", "outcome", "acked") == 1);
		assertThat(calls("reject")).hasSize(1);
	}

	@Test
	void whatTheHandlerSpendsIsCountedAcrossLocalAndBrokerAttempts() {
		send("spend");
		Map<String, Object> parked = RetryLifecycleIntegrationTests.text(this.broker.take(QUEUE + ".parking-lot"));
		// two calls to other systems a time: 2 + 2 in the first delivery, 1 of 2 in the
		// second
		assertThat(calls("spend"))
			.extracting((call) -> call.attempt() + "/" + call.localAttempt() + " " + call.remaining())
			.containsExactly("0/0 5", "0/1 3", "1/0 1");
		assertThat(parked).containsEntry("x-app-downstream-calls", "5")
			.containsEntry("x-app-cost", "21")
			.containsEntry("x-app-retry-reason", "RETRY_BUDGET_EXHAUSTED")
			.containsEntry("x-app-retry-attempt", "1");
	}

	@Test
	void aListenerWithoutAPolicyGetsAContextToo() {
		this.broker.sendJson(OTHER, "m", Map.of(), "{\"id\":\"uncovered\"}");
		Awaitility.await().atMost(Duration.ofSeconds(40)).until(() -> calls("uncovered").size() == 1);
		assertThat(calls("uncovered").get(0)).satisfies((call) -> {
			assertThat(call.attempt() + call.maxAttempts()).isZero();
			assertThat(call.remaining()).isEqualTo(-1);
			assertThat(call.reason()).isEqualTo("not bound");
		});
	}

	private void send(String id) {
		this.broker.send(QUEUE, TestBroker.json("m-" + id).headers(Map.of("__TypeId__", Order.class.getName())).build(),
				"{\"id\":\"" + id + "\"}");
	}

	private void bind() throws Exception {
		this.broker.channel().queueDeclare(TAKER, true, false, false, null);
		this.broker.channel().queueBind(TAKER, EVENTS, "#");
	}

	private double counted(String meter, String tag, String value) {
		var counter = this.application.getBean(MeterRegistry.class).find(meter).tag(tag, value).counter();
		return (counter != null) ? counter.count() : 0;
	}

	private static List<Call> calls(String id) {
		return Application.calls.stream().filter((call) -> call.id().equals(id)).toList();
	}

	private static Duration waited(String id, int call) {
		return Duration.between(calls(id).get(call - 1).at(), calls(id).get(call).at());
	}

	record Order(String id) {
	}

	record Refund(String id) {
	}

	record Refused(String order, String why) {
	}

	record Call(String id, Instant at, int attempt, int maxAttempts, int localAttempt, int level, Duration age,
			String reason, long remaining, int header, long delay) {

		static Call of(String id, RetryContext context, int header, long delay) {
			return new Call(id, Instant.now(), context.attempt(), context.maxAttempts(), context.localAttempt(),
					context.level(), context.age(), context.lastReason().orElse("none"),
					context.remainingDownstreamCalls().orElse(-1), header, delay);
		}

	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		static final List<Call> calls = new CopyOnWriteArrayList<>();

		@Bean
		JacksonJsonMessageConverter converter() {
			return new JacksonJsonMessageConverter("*");
		}

		@Bean
		MeterRegistry meters() {
			return new SimpleMeterRegistry();
		}

		@Bean
		Orders orders() {
			return new Orders();
		}

		/** The user's own, which must stay, and knows nothing of contexts. */
		@Bean
		RabbitListenerConfigurer configurer() {
			DefaultMessageHandlerMethodFactory factory = new DefaultMessageHandlerMethodFactory();
			factory.afterPropertiesSet();
			return (registrar) -> registrar.setMessageHandlerMethodFactory(factory);
		}

		@RabbitListener(queues = OTHER)
		void other(Order order, RetryContext context) {
			calls.add(new Call(order.id(), Instant.now(), context.attempt(), context.maxAttempts(), 0, 0, context.age(),
					RetryContext.current().isPresent() ? "bound" : "not bound",
					context.remainingDownstreamCalls().orElse(-1), 0, 0));
		}

	}

	@RabbitListener(queues = QUEUE)
	static class Orders {

		@RabbitHandler
		void refund(Refund refund, RetryContext context) throws SocketTimeoutException {
			Application.calls.add(Call.of("refund", context, 0, 0));
			if (context.attempt() == 0 || context.localAttempt() == 0) {
				throw new SocketTimeoutException();
			}
		}

		@RabbitHandler
		void order(Order order, RetryContext context,
				@Header(name = AppHeaders.RETRY_ATTEMPT, defaultValue = "0") int attempt,
				@Header(name = AppHeaders.RETRY_DELAY, defaultValue = "0") long delay) throws SocketTimeoutException {
			Application.calls.add(Call.of(order.id(), context, attempt, delay));
			switch (order.id()) {
				case "after" -> after(context);
				case "level" -> level(context);
				case "return" -> returned(context);
				case "park" -> throw ParkMessageException.because("NO_SUCH_CUSTOMER");
				case "stale" -> throw DiscardMessageException.asStale();
				case "reject" ->
					throw RejectMessageException.because("CREDIT_REFUSED").with(new Refused(order.id(), "credit"));
				case "spend" -> spend();
				default -> throw new IllegalStateException(order.id());
			}
		}

		private static void after(RetryContext context) {
			if (context.attempt() == 0) {
				throw RetryLaterException.after(Duration.ofMillis(2400)).because("BUREAU_CLOSED");
			}
		}

		private static void level(RetryContext context) {
			if (context.attempt() == 0) {
				throw RetryLaterException.atLevel(2);
			}
			if (context.attempt() == 1) {
				throw RetryLaterException.nextLevel();
			}
		}

		private static void returned(RetryContext context) {
			if (Application.calls.size() < 4) {
				throw ReturnMessageException.toQueue();
			}
		}

		/** Deep inside, where nobody has an argument. */
		private static void spend() throws SocketTimeoutException {
			RetryContext context = RetryContext.current().orElseThrow();
			context.spendCost(7);
			context.spendDownstreamCall();
			context.spendDownstreamCall();
			throw new SocketTimeoutException();
		}

	}

}
